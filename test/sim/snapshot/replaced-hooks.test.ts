/** SNAP-S9: while no controller runs, a client deletes a hook that has frozen, and creates it again. */
import { expect, it } from 'vitest';

import { resourceName } from '../../../src/kube/object.ts';
import { contents, snapshots } from '../../../src/kube/snapshots.ts';
import {
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { EVIDENCE_FINALIZER } from '../../../src/lifecycles/snapshot/names.ts';
import { SnapshotStand } from './stand.ts';

/**
 * Milliseconds by which the next controller's reads of snapshots are delayed, so that the new hook freezes first.
 */
const SLOW_MS = 2_000;

function delaysSnapshots(): { stand: SnapshotStand; begin: () => void } {
  let isSlow = false;
  const stand: SnapshotStand = new SnapshotStand({
    replicas: 1,
    changeClient: (client) => ({
      ...client,
      get: async (resource, ...rest) => {
        if (isSlow && resourceName(resource) === resourceName(applicationSnapshots))
          await new Promise<void>((done) => stand.world.after(SLOW_MS, done));
        return client.get(resource, ...rest);
      },
    }),
  });
  return { stand, begin: () => (isSlow = true) };
}

/** Replaces the hook. It removes the finalizers, as a client that may patch hooks can do. */
function createAgain({ api, snapshot }: SnapshotStand): void {
  const [name = ''] = snapshot?.status?.executionHookNames ?? [];
  const key = { namespace: 'ns', name };
  const { status: _, ...hook } = api.find(executionHooks, key) as ExecutionHook;
  api.patch(executionHooks, key, { type: 'merge', body: { metadata: { finalizers: [] } } });
  api.delete(executionHooks, key, {});
  const { labels = {}, ownerReferences = [] } = hook.metadata ?? {};
  const metadata = { ...key, labels, ownerReferences, finalizers: [EVIDENCE_FINALIZER] };
  api.create(executionHooks, { ...hook, metadata });
}

it('makes nothing consistent that was cut before the new hook has frozen', async () => {
  const { stand, begin } = delaysSnapshots();
  const order: string[] = [];
  stand.onSend = ({ verb }) => order.push(verb);
  let isReplaced = false;
  stand.api.onCommit(({ resource, object }) => {
    const { status } = object as { status?: { creationTime?: number } };
    const isCut = resource === resourceName(contents) && status?.creationTime !== undefined;
    if (isCut && !order.includes('cut')) order.push('cut');
    if (isReplaced || resource !== resourceName(snapshots)) return;
    isReplaced = true;
    begin();
    stand.replaceAfter(SLOW_MS);
    stand.world.after(1, () => {
      createAgain(stand);
    });
  });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(order).toEqual(['freeze', 'cut', 'freeze', 'thaw']);
  expect(stand.snapshot?.status?.verdict).toMatchObject({
    value: 'Inconsistent',
    reason: 'HookGone',
  });
});
