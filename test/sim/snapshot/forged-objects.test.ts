/** SNAP-S9: a client creates the objects of a snapshot under their planned names before Lifehook does. */
import { expect, it } from 'vitest';

import { snapshots } from '../../../src/kube/snapshots.ts';
import { apiVersionOf, type ObjectMeta } from '../../../src/kube/object.ts';
import { applicationSnapshots, executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { HOOK, SnapshotStand } from './stand.ts';

/** The metadata that Lifehook itself would write. The client can read all of it. */
function copiedMetadata({ snapshot }: SnapshotStand, name: string): ObjectMeta {
  const { name: owner = '', uid = '' } = snapshot?.metadata ?? {};
  const { kind } = applicationSnapshots;
  const apiVersion = apiVersionOf(applicationSnapshots);
  const ownerReferences = [{ apiVersion, kind, name: owner, uid, controller: true }];
  return { namespace: 'ns', name, ownerReferences };
}

const FORGERIES = {
  'a VolumeSnapshot that is cut before the freeze': (stand: SnapshotStand): void => {
    const name = stand.snapshot?.status?.volumes?.[0]?.volumeSnapshotName ?? '';
    const metadata = copiedMetadata(stand, name);
    const spec = { source: { persistentVolumeClaimName: 'c0' }, volumeSnapshotClassName: 'usual' };
    const object = { metadata, spec };
    stand.api.create(snapshots, object);
  },
  'a hook that freezes nothing': (stand: SnapshotStand): void => {
    const name = stand.snapshot?.status?.executionHookNames?.[0] ?? '';
    const preAction = { exec: { command: ['thaw', 's0.0'] } };
    const object = { metadata: copiedMetadata(stand, name), spec: { ...HOOK.targets, preAction } };
    stand.api.create(executionHooks, object);
  },
};

it.each(Object.entries(FORGERIES))('%s makes nothing consistent', async (_, forge) => {
  const stand = new SnapshotStand({ replicas: 1 });
  let isForged = false;
  stand.api.onCommit(() => {
    if (isForged || stand.snapshot?.status?.executionHookNames === undefined) return;
    isForged = true;
    forge(stand);
  });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(stand.snapshot?.status?.failure).toMatchObject({ reason: 'NameTaken' });
});
