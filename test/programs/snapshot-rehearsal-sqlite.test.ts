/** Tests scheduled rehearsals of a real SQLite database on the local cluster: of a sound one and of a damaged one. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { deployments, events, persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import { SCHEDULE } from '../../src/lifecycles/snapshot/names.ts';
import { snapshotRestores } from '../../src/lifecycles/snapshot/restore/kinds.ts';
import {
  type SnapshotScheduleStatus,
  snapshotSchedules,
} from '../../src/lifecycles/snapshot/schedule/kinds.ts';
import { type ClusterStand, openWholeCluster } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';

const namespace = 'default';
const PATIENCE_S = 120;
/** Enough time for two scheduled times and the work after them. */
const TWO_MINUTES_S = 240;

/**
 * `whole` has a sound database. In `torn`, the middle of the same database is overwritten, which a freeze does not
 * notice.
 */
const app = (name: string, tear: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Mi } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: none
          command:
            - sh
            - -ec
            - |
              sqlite3 data/shop.db 'CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                INSERT INTO t SELECT hex(randomblob(16)) FROM n;'
              ${tear}
              touch ready
              while :; do sleep 1; done
          readinessProbe: { exec: { command: [test, -e, ready] }, periodSeconds: 1 }
          volumeMounts: [{ name: data, mountPath: data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: ${name} } }]
`;
const TEAR = 'dd if=/dev/urandom of=data/shop.db bs=4096 seek=10 count=20 conv=notrunc 2>/dev/null';

const FREEZE = `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction:
  session:
    client: [sh, -c, 'exec sqlite3 -batch -bail data/shop.db']
    freeze: ['BEGIN IMMEDIATE;', "SELECT 'frozen';"]
    ready: frozen
    thaw: ['ROLLBACK;', "SELECT 'thawed';"]
probe: { exec: { command: [sh, -c, "! sqlite3 data/shop.db 'BEGIN IMMEDIATE; ROLLBACK;'"] } }
expirationSeconds: 60
`;

const schedule = (name: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: SnapshotSchedule
metadata: { name: ${name} }
spec:
  schedule: '* * * * *'
  retention: { keepLast: 2 }
  snapshotTemplate:
    spec:
      source: { persistentVolumeClaimNames: [${name}] }
      executionHookInfos:
        - executionHookTemplateName: freeze
          podSelector: { matchLabels: { app: ${name} } }
  rehearsal:
    schedule: '* * * * *'
    verify:
      - name: check
        pod: { image: none, recipe: { name: sqlite-lock, parameters: { file: shop.db } } }
`;

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await applyManifest(cluster.client, FREEZE);
  await applyManifest(cluster.client, app('whole', 'true'));
  await applyManifest(cluster.client, app('torn', TEAR));
  for (const name of ['whole', 'torn']) {
    await eventually(`${name} is ready`, () => isReady(name), PATIENCE_S);
    await applyManifest(cluster.client, schedule(name));
  }
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function isReady(name: string): Promise<boolean> {
  const { status } = await cluster.client.get(deployments, { namespace, name });
  return status?.readyReplicas === 1;
}

/** Waits for the first rehearsal to end, and returns the schedule's status. The schedule starts no other one. */
async function rehearsed(name: string): Promise<SnapshotScheduleStatus> {
  const read = async (): Promise<SnapshotScheduleStatus> =>
    (await cluster.client.get(snapshotSchedules, { namespace, name })).status ?? {};
  await eventually(
    `a rehearsal of ${name} has ended`,
    async () => (await read()).lastRehearsal?.restoredAt !== undefined,
    TWO_MINUTES_S,
  );
  return read();
}

async function warningsOf(name: string): Promise<readonly string[]> {
  const { items } = await cluster.client.list(events, { namespace });
  return items
    .filter((event) => event.type === 'Warning' && event.involvedObject.name === name)
    .map(({ reason = '' }) => reason);
}

it('restores the last snapshot, checks the copy, and says so in the status (SNAP-T20)', async () => {
  const { lastRehearsal, lastSuccessfulRehearsalTime, conditions } = await rehearsed('whole');
  expect(lastRehearsal).toMatchObject({
    result: 'Passed',
    restoredAt: lastSuccessfulRehearsalTime,
  });
  expect(lastRehearsal?.snapshotName).toMatch(/^whole-\d+$/);
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: 'LastRehearsalGood', status: 'True', reason: 'Passed' }),
  );
  const restore = await cluster.client.get(snapshotRestores, {
    namespace,
    name: lastRehearsal?.name ?? '',
  });
  expect(restore.metadata?.labels?.[SCHEDULE]).toBe('whole');
  expect(restore.status?.cleanedUpAt).toBeDefined();
}, 300_000);

it('fails loudly for a database whose pages are damaged', async () => {
  const { lastRehearsal, lastSuccessfulRehearsalTime, conditions } = await rehearsed('torn');
  expect(lastRehearsal).toMatchObject({ result: 'Failed' });
  expect(lastRehearsal?.message).toContain('CheckFailed');
  expect(lastSuccessfulRehearsalTime).toBeUndefined();
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: 'LastRehearsalGood', status: 'False', reason: 'Failed' }),
  );
  await eventually('an event says so', async () =>
    (await warningsOf('torn')).includes('RehearsalFailed') ? true : null,
  );
}, 300_000);

it('deletes the rehearsals with their schedule, and leaves no claim or pod of them', async () => {
  for (const name of ['whole', 'torn']) {
    await cluster.client.delete(snapshotSchedules, { namespace, name });
  }
  await eventually(
    'all rehearsals are deleted',
    async () => {
      const restores = await cluster.client.list(snapshotRestores, { namespace });
      return restores.items.length === 0 ? true : null;
    },
    PATIENCE_S,
  );
  const { items: claims } = await cluster.client.list(persistentVolumeClaims, { namespace });
  const names = claims.map(({ metadata }) => metadata?.name ?? '').toSorted();
  expect(names).toEqual(['torn', 'whole']);
  const { items } = await cluster.client.list(pods, { namespace });
  expect(items.filter(({ metadata }) => metadata?.name?.includes('-rehearsal-') === true)).toEqual(
    [],
  );
}, 200_000);
