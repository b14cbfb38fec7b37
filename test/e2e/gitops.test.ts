/**
 * The health of our objects on the local cluster, before and in their final states, as Argo CD and kstatus (used by
 * Flux) report it.
 *
 * @module-tag lua
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Condition } from '../../src/controller/conditions.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { deployments, pods } from '../../src/kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../src/lifecycles/rollout/kinds.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';
import { argoHealthOf } from '../fixtures/gitops/argo-health.ts';
import { kstatusOf } from '../fixtures/gitops/kstatus.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';

const PATIENCE_S = 60;
const namespace = 'default';

const APP = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'true'] } }
postAction: { exec: { command: [sh, -c, 'true'] } }
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: refuse }
preAction: { exec: { command: [sh, -c, 'exit 7'] }, actionTimeoutSeconds: 1 }
postAction: { exec: { command: [sh, -c, 'true'] } }
`;

const snapshot = (name: string, template: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: ApplicationSnapshot
metadata: { name: ${name} }
spec:
  source: { persistentVolumeClaimNames: [data] }
  executionHookInfos: [{ executionHookTemplateName: ${template} }]
`;

const hook = (template: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: ${template} }
spec:
  executionHookTemplateName: ${template}
  podContainerNamesList: [{ podName: db, containerNames: [db] }]
`;

const LIFECYCLE = `
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  rollingUpdate:
    pre:
      failurePolicy: Abort
      execNewPod:
        containerName: main
        command: [sh, -c, 'test $VERSION = two || sleep 600']
`;

const web = (version: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: none
          command: [sh, -c, 'while :; do sleep 1; done']
          env: [{ name: VERSION, value: ${version} }]
`;

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await applyManifest(cluster.client, APP);
  await eventually('the application runs', isRunning, PATIENCE_S);
  await applyManifest(cluster.client, web('one'));
  await applyManifest(cluster.client, LIFECYCLE);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function isRunning(): Promise<boolean> {
  const { status } = await cluster.client.get(pods, { namespace, name: 'db' });
  return status?.phase === 'Running';
}

const both = (object: KubeObject): readonly string[] => [argoHealthOf(object), kstatusOf(object)];

describe('Argo CD and kstatus (CTRL-K4)', () => {
  it('see a snapshot that is completed as healthy', async () => {
    await applyManifest(cluster.client, snapshot('good', 'freeze'));
    expect(await untilPhase('good', 'Completed')).toEqual(['Healthy', 'Current']);
  });

  it('see a snapshot that has failed as failed', async () => {
    await applyManifest(cluster.client, snapshot('bad', 'refuse'));
    expect(await untilPhase('bad', 'Failed')).toEqual(['Degraded', 'Failed']);
  });

  it.each([
    ['refuse', 'Stalled', ['Degraded', 'Failed']],
    ['freeze', 'Frozen', ['Progressing', 'InProgress']],
  ])('see a hook of the template %s, once it is %s, as %j', async (template, type, seen) => {
    await applyManifest(cluster.client, hook(template));
    const get = () => cluster.client.get(executionHooks, { namespace, name: template });
    expect(await untilTrue(type, get)).toEqual(seen);
  });

  it('see a template as healthy', async () => {
    const template = await cluster.client.get(executionHookTemplates, {
      namespace,
      name: 'freeze',
    });
    expect(both(template)).toEqual(['Healthy', 'Current']);
  });

  it('see a lifecycle that is armed as healthy', async () => {
    expect(await untilLifecycle('Ready')).toEqual(['Healthy', 'Current']);
  });

  it('see a rollout that its hook holds as in progress, and its Deployment as not current', async () => {
    await applyManifest(cluster.client, web('three'));
    expect(await untilLifecycle('Reconciling')).toEqual(['Progressing', 'InProgress']);
    const deployment = await cluster.client.get(deployments, { namespace, name: 'web' });
    // Argo CD's built-in check of a Deployment reports a paused one as Suspended.
    expect([deployment.spec?.paused, kstatusOf(deployment)]).toEqual([true, 'InProgress']);
    await eventually('the hook runs', async () => (await runs()).length > 0, PATIENCE_S);
    expect((await runs()).map(argoHealthOf)).toEqual(['Progressing']);
  });
});

async function runs(): Promise<readonly KubeObject[]> {
  return (await cluster.client.list(hookRuns, { namespace })).items;
}

async function untilPhase(name: string, phase: string): Promise<readonly string[]> {
  const get = () => cluster.client.get(applicationSnapshots, { namespace, name });
  await eventually(
    `snapshot ${name} is ${phase}`,
    async () => (await get()).status?.phase === phase,
    PATIENCE_S,
  );
  return both(await get());
}

async function untilLifecycle(type: string): Promise<readonly string[]> {
  return untilTrue(type, () =>
    cluster.client.get(deploymentLifecycles, { namespace, name: 'web' }),
  );
}

async function untilTrue(
  type: string,
  get: () => Promise<KubeObject & { status?: { conditions?: Condition[] } }>,
): Promise<readonly string[]> {
  const isTrue = async (): Promise<boolean> =>
    (await get()).status?.conditions?.some(
      (condition) => condition.type === type && condition.status === 'True',
    ) === true;
  await eventually(`it is ${type}`, isTrue, PATIENCE_S);
  return both(await get());
}
