/** One rollout with hooks as a user runs it: `lifehook up`, a Deployment, and `lifehook rollout watch`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deployments, pods } from '../../src/kube/resources.ts';
import { deploymentLifecycles } from '../../src/lifecycles/rollout/kinds.ts';
import { type ClusterStand, type Ended, openWholeCluster, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';

const PATIENCE_S = 60;
const KEY = { namespace: 'default', name: 'web' };
const SERVE = 'trap "exit 0" TERM; while :; do sleep 0.1; done';

/** Each hook prints the version for which it runs. The pre hook fails for version "bad". */
const LIFECYCLE = `
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  recreate:
    pre:
      failurePolicy: Abort
      execNewPod:
        containerName: main
        command: [sh, -c, 'echo back up for $VERSION; test $VERSION != bad']
    mid: { execNewPod: { containerName: main, command: [sh, -c, 'echo migrate to $VERSION'] } }
    post: { execNewPod: { containerName: main, command: [sh, -c, 'echo check $VERSION'] } }
`;

const app = (version: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  strategy: { type: Recreate }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: main
          image: none
          command: [sh, -c, '${SERVE}']
          env: [{ name: VERSION, value: ${version} }]
`;

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await applyManifest(cluster.client, app('one'));
  await applyManifest(cluster.client, LIFECYCLE);
  await eventually('the gate is armed and version one runs', isReady, PATIENCE_S);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function isReady(): Promise<boolean> {
  const { status } = await cluster.client.get(deploymentLifecycles, KEY);
  const isArmed = status?.conditions?.some(
    (condition) => condition.type === 'Armed' && condition.status === 'True',
  );
  return isArmed === true && (await versions()).join(',') === 'one';
}

/** Versions of the running pods. */
async function versions(): Promise<(string | undefined)[]> {
  const options = { namespace: 'default', labelSelector: 'app=web' };
  const { items } = await cluster.client.list(pods, options);
  return items
    .filter(({ status }) => status?.phase === 'Running')
    .map(({ spec }) => spec?.containers[0]?.env?.find(({ name }) => name === 'VERSION')?.value);
}

function rollout(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const where = ['--kubeconfig', cluster.kubeconfig];
  return run(process.execPath, [program, 'rollout', ...args, ...where]);
}

describe('a rollout of the local cluster', () => {
  it('runs pre, mid and post hooks in order, each in the new version', async () => {
    await applyManifest(cluster.client, app('two'));
    const { code, stdout, stderr } = await rollout('watch', 'web', '--timeout', `${PATIENCE_S}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const steps = [
      'pre, attempt 1: Succeeded',
      '| back up for two',
      'mid, attempt 1: Succeeded',
      '| migrate to two',
      'post, attempt 1: Succeeded',
      '| check two',
    ];
    const places = steps.map((step) => stdout.indexOf(step));
    expect(places, stdout).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await versions()).toEqual(['two']);
  });

  it('keeps the old version running and stays paused when the pre hook fails', async () => {
    const before = await cluster.client.get(deployments, KEY);
    await applyManifest(cluster.client, app('bad'));
    const { code, stdout } = await rollout('watch', 'web', '--timeout', `${PATIENCE_S}`);
    expect(code).toBe(3);
    expect(stdout).toMatch(/pre, attempt 1: Failed exit 1/u);
    expect(stdout).not.toContain('migrate to bad');
    expect(await versions()).toEqual(['two']);
    const { spec, metadata } = await cluster.client.get(deployments, KEY);
    expect(metadata?.generation).toBeGreaterThan(before.metadata?.generation ?? Infinity);
    expect(spec?.paused).toBe(true);
  });
});
