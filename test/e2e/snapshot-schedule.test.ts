/**
 * A schedule as a user creates it, with the real controllers: it takes a snapshot in the next minute, counts it, and
 * deletes one that its retention does not keep.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { snapshots as volumeSnapshots } from '../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { MADE_FOR, SCHEDULE } from '../../src/lifecycles/snapshot/names.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

const APP = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: db, labels: { app: shop } }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'echo rows >"$LIFEHOOK_VOLUME_DATA/rows"; while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'touch "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
postAction: { exec: { command: [sh, -c, 'rm "$LIFEHOOK_VOLUME_DATA/frozen"'] }, actionTimeoutSeconds: 5 }
probe: { exec: { command: [sh, -c, 'test -e "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
expirationSeconds: 60
`;

/** Without a hook the snapshot of a volume in use is CrashConsistent, which this schedule does not accept. */
const scheduleOf = (name: string, hooks: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: SnapshotSchedule
metadata: { name: ${name} }
spec:
  schedule: '* * * * *'
  timeZone: Europe/Berlin
  startingDeadlineSeconds: 30
  requiredVerdict: ApplicationConsistent
  retention: { keepLast: 10, keepFailed: 0 }
  snapshotTemplate:
    metadata: { labels: { app: shop } }
    spec:
      source: { persistentVolumeClaimNames: [data] }
      executionHookInfos: ${hooks}
`;

let cluster: ClusterStand;
const { ok } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster();
  expect((await cluster.apply(APP)).stderr).toBe('');
  await ok('wait', '--for=condition=Ready', 'pod/db', '--timeout=60s');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function snapshotsOf(schedule: string): Promise<readonly ApplicationSnapshot[]> {
  const { items } = await cluster.client.list(applicationSnapshots, { namespace: 'default' });
  return items.filter(({ metadata }) => metadata?.labels?.[SCHEDULE] === schedule);
}

it('refuses a schedule that is wrong, with one error that says what is wrong (SNAP-T1)', async () => {
  const { stderr } = await cluster.apply(
    scheduleOf('wrong', '[]').replace("'* * * * *'", "'0 25 * * *'"),
  );
  expect(stderr).toContain('spec.schedule: Invalid value: "0 25 * * *"');
  expect(stderr).toContain('Invalid value for hour: 25');
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('takes good snapshots, reports them, and keeps them when it is deleted', async () => {
  expect(
    (await cluster.apply(scheduleOf('good', '[{ executionHookTemplateName: freeze }]'))).stderr,
  ).toBe('');
  expect((await cluster.apply(scheduleOf('poor', '[]'))).stderr).toBe('');
  await ok('wait', '--for=condition=Ready', 'snapshotschedule/good', '--timeout=30s');
  await ok('wait', '--for=condition=LastSnapshotGood', 'snapshotschedule/good', '--timeout=150s');
  const [first] = await snapshotsOf('good');
  expect(first?.status?.verdict?.value).toBe('ApplicationConsistent');
  expect(first?.metadata?.labels).toMatchObject({ app: 'shop' });
  // The rejected snapshot is deleted with its VolumeSnapshots, because keepFailed is 0 (SNAP-T15).
  await ok(
    'wait',
    '--for=condition=LastSnapshotGood=False',
    'snapshotschedule/poor',
    '--timeout=150s',
  );
  await ok('patch', 'snapshotschedule/poor', '--type=merge', '-p', '{"spec":{"suspend":true}}');
  await eventually('the poor snapshot is deleted', async () =>
    (await snapshotsOf('poor')).length === 0 ? true : null,
  );
  await eventually('its VolumeSnapshot is deleted', async () => {
    const { items } = await cluster.client.list(volumeSnapshots, { namespace: 'default' });
    const owners = items.map(({ metadata }) => metadata?.labels?.[MADE_FOR] ?? '');
    return owners.some((owner) => owner.startsWith('poor-')) ? null : true;
  });
  const table = await ok('get', 'snapshotschedules');
  expect(table).toMatch(
    /NAME +SCHEDULE +TIME-ZONE +SUSPEND +ACTIVE +LAST-SCHEDULE +LAST-GOOD +LAST-REHEARSED +AGE/,
  );
  await ok('delete', 'snapshotschedule/good', '--wait=true');
  expect((await snapshotsOf('good')).map(({ metadata }) => metadata?.name)).toContain(
    first?.metadata?.name,
  );
}, 240_000);
