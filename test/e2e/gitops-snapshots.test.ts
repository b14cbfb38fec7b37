/**
 * The health of guards, schedules and restores on the local cluster in each of their states. Argo CD and kstatus (used
 * by Flux) report it. `kubectl wait` waits for each state first.
 *
 * @module-tag kubectl lua
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeObject, Resource } from '../../src/kube/object.ts';
import { snapshotGuards } from '../../src/lifecycles/snapshot/kinds.ts';
import { snapshotRestores } from '../../src/lifecycles/snapshot/restore/kinds.ts';
import { snapshotSchedules } from '../../src/lifecycles/snapshot/schedule/kinds.ts';
import { argoHealthOf } from '../fixtures/gitops/argo-health.ts';
import { kstatusOf } from '../fixtures/gitops/kstatus.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

const namespace = 'default';

const CLAIM = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
`;

/** A snapshot without a hook that freezes, so its verdict is CrashConsistent. */
const SNAPSHOT = `
apiVersion: lifehook.dev/v1alpha1
kind: ApplicationSnapshot
metadata: { name: crash }
spec: { source: { persistentVolumeClaimNames: [data] } }
`;

const TEMPLATE = `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: ['true'] } }
postAction: { exec: { command: ['true'] } }
`;

/** A guard. Changing its spec makes the controllers reconcile at once instead of a minute later. */
const guardOf = (holdOpenSeconds: number): string => `
apiVersion: lifehook.dev/v1alpha1
kind: SnapshotGuard
metadata: { name: app }
spec:
  executionHookInfos: [{ executionHookTemplateName: freeze }]
  holdOpenSeconds: ${holdOpenSeconds}
`;

const becauseOf = (reason: string): string =>
  `jsonpath={.status.conditions[?(@.type=="Ready")].reason}=${reason}`;

const scheduleOf = (spec: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: SnapshotSchedule
metadata: { name: never }
spec:
  schedule: '0 0 29 2 *'
  retention: { keepLast: 1 }
  snapshotTemplate: { spec: { source: { persistentVolumeClaimNames: [data] } } }
  ${spec}
`;

const restoreOf = (name: string, spec: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: SnapshotRestore
metadata: { name: ${name} }
spec:
  source: { applicationSnapshotName: crash }
  ${spec}
`;

let cluster: ClusterStand;
const { ok, apply } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await apply(CLAIM);
  await ok('wait', '--for=jsonpath={.status.phase}=Bound', 'pvc/data', '--timeout=60s');
  await apply(SNAPSHOT);
  await ok('wait', '--for=condition=Ready', 'applicationsnapshot/crash', '--timeout=60s');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** The health by Argo CD and by kstatus, as soon as `kubectl wait` has seen that state of the object. */
async function seenWhen<T extends KubeObject>(
  resource: Resource<T>,
  name: string,
  state: string,
): Promise<readonly string[]> {
  const object = `${resource.kind.toLowerCase()}/${name}`;
  await ok('wait', `--for=${state}`, object, '--timeout=60s');
  const found = await cluster.client.get(resource, { namespace, name });
  return [argoHealthOf(found), kstatusOf(found)];
}

describe('Argo CD and kstatus', () => {
  it('see a guard as not healthy until its namespace is labelled and its template exists', async () => {
    await apply(guardOf(1));
    const unlabelled = await seenWhen(snapshotGuards, 'app', becauseOf('NamespaceNotEnabled'));
    await ok('label', 'namespace', namespace, 'lifehook.dev/snapshot-guard=enabled');
    await apply(guardOf(2));
    const incomplete = await seenWhen(snapshotGuards, 'app', becauseOf('TemplateMissing'));
    await apply(TEMPLATE);
    await apply(guardOf(3));
    const ready = await seenWhen(snapshotGuards, 'app', 'condition=Ready');
    expect([unlabelled, incomplete, ready]).toEqual([
      ['Degraded', 'InProgress'],
      ['Degraded', 'InProgress'],
      ['Healthy', 'Current'],
    ]);
  });

  it('see a schedule as healthy, and as suspended while it is', async () => {
    await apply(scheduleOf(''));
    expect(await seenWhen(snapshotSchedules, 'never', 'condition=Ready')).toEqual([
      'Healthy',
      'Current',
    ]);
    await apply(scheduleOf('suspend: true'));
    const seen = await seenWhen(snapshotSchedules, 'never', 'condition=Suspended');
    expect(seen).toEqual(['Suspended', 'Current']);
  });

  it('see a restore that its hook delays as in progress', async () => {
    const hook = `{ name: long, pod: { image: none, command: [sh, -c, 'sleep 600'] } }`;
    await apply(
      restoreOf('long', `requiredVerdict: CrashConsistent\n  scratch: true\n  verify: [${hook}]`),
    );
    const seen = await seenWhen(snapshotRestores, 'long', 'condition=Reconciling');
    expect(seen).toEqual(['Progressing', 'InProgress']);
  });

  it('see a restore that is complete as healthy, and one that has failed as failed', async () => {
    await apply(restoreOf('good', 'requiredVerdict: CrashConsistent'));
    expect(await seenWhen(snapshotRestores, 'good', 'condition=Ready')).toEqual([
      'Healthy',
      'Current',
    ]);
    await apply(restoreOf('bad', 'requiredVerdict: ApplicationConsistent'));
    expect(await seenWhen(snapshotRestores, 'bad', 'condition=Stalled')).toEqual([
      'Degraded',
      'Failed',
    ]);
  });
});
