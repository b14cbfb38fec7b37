/** A user adds the label of a restore to other claims and pods, on a simulated API server. */
import { beforeEach, expect, it } from 'vitest';

import { persistentVolumeClaims, pods } from '../../../src/kube/resources.ts';
import type { RestoreHook } from '../../../src/lifecycles/snapshot/restore/kinds.ts';
import { hookPodName } from '../../../src/lifecycles/snapshot/restore/object-names.ts';
import { RestoreBench } from './restore-bench.ts';

const MINUTE_MS = 60_000;
const drain: RestoreHook = { name: 'drain', pod: { image: 'i', command: ['run'] } };
const check: RestoreHook = { name: 'check', pod: { image: 'i', command: ['run'] } };

let bench: RestoreBench;

beforeEach(() => {
  bench = new RestoreBench();
  bench.makeSnapshot();
  bench.makeRestore({ scratch: true, preRestore: [drain], verify: [check] });
  bench.startRestores();
});

async function end(): Promise<void> {
  await bench.eventually('the restore is over', () => bench.isOver(), MINUTE_MS);
}

/** Resolves with forged metadata, after the restore has checked that its names are free. */
async function forge(): Promise<{ namespace: string; labels: Record<string, string> }> {
  await bench.eventually('it has begun', () => bench.started.length === 1, MINUTE_MS);
  const uid = bench.restore()?.metadata?.uid ?? '';
  return { namespace: 'ns', labels: { 'lifehook.dev/snapshot-restore-uid': uid } };
}

it('a claim with the label of a restore, and not of its snapshot, is not taken for restored (SNAP-V4)', async () => {
  const metadata = await forge();
  bench.api.create(persistentVolumeClaims, { metadata: { ...metadata, name: 'data-friday' } });
  await end();
  expect(bench.restore()?.status?.failure).toMatchObject({
    reason: 'ClaimExists',
    message:
      'Claim data-friday exists already, and a restore never overwrites one. Restore under another name, which keeps both: claimName in spec.claims (--claim data=NEW). To replace the claim, which loses its data, see "Restore a StatefulSet under the same names" in docs/snapshot-restore.md.',
  });
  expect(bench.claimNames()).toEqual(['data', 'data-friday']);
});

it('a pod that a user created in advance proves nothing about the copy (SNAP-V16)', async () => {
  bench.exitCodes.set('check', 1);
  const { labels } = await forge();
  const restore = bench.restore();
  if (restore === undefined) throw new Error('no restore');
  const { name = '', uid = '' } = restore.metadata ?? {};
  const owner = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'SnapshotRestore', name, uid };
  const ended = { terminated: { exitCode: 0, reason: 'Completed' } };
  bench.api.create(pods, {
    metadata: {
      namespace: 'ns',
      name: hookPodName(restore, 'check', 1),
      labels,
      ownerReferences: [owner],
    },
    status: { phase: 'Succeeded', containerStatuses: [{ name: 'hook', state: ended }] },
  } as never);
  await end();
  const { verification, failure } = bench.restore()?.status ?? {};
  expect([verification?.result, failure?.message]).toEqual([
    'Unknown',
    expect.stringContaining('does not belong to this restore'),
  ]);
});

it('a rehearsal deletes nothing that only has its label (SNAP-V12)', async () => {
  const metadata = await forge();
  bench.api.create(persistentVolumeClaims, { metadata: { ...metadata, name: 'precious' } });
  bench.api.create(pods, { metadata: { ...metadata, name: 'bystander' } });
  await end();
  expect(bench.restore()?.status?.failure).toBeUndefined();
  expect(bench.claimNames()).toEqual(['data', 'precious']);
  expect(bench.podNames()).toContain('bystander');
});
