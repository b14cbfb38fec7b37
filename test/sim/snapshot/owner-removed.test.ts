/** A client removes the owner reference of a hook. Its snapshot must still see the result of the hook. */
import { expect, it } from 'vitest';

import { resourceName } from '../../../src/kube/object.ts';
import { executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE } from '../../../src/lifecycles/snapshot/names.ts';
import { failure } from '../controller/sim-api.ts';
import type { ChangeClient } from './replica.ts';
import { SnapshotStand } from './stand.ts';

/**
 * Simulated time, in milliseconds, until which the record of the thaw is refused: longer than anything waits for that
 * record.
 */
const RECORDS_FROM_MS = 30_000;

it('does not keep the snapshot from its end', async () => {
  const refuseThaws: ChangeClient = (client) => ({
    ...client,
    replaceStatus: (resource, object, ...rest) => {
      const isHook = resourceName(resource) === resourceName(executionHooks);
      const isThawed = JSON.stringify(object).includes('"postActionSucceed":true');
      return isHook && isThawed && stand.world.elapsedMs < RECORDS_FROM_MS
        ? Promise.reject(failure(500, 'InternalError', 'failed calling webhook'))
        : client.replaceStatus(resource, object, ...rest);
    },
  });
  const stand: SnapshotStand = new SnapshotStand({ replicas: 1, changeClient: refuseThaws });
  let isRemoved = false;
  stand.api.onCommit(({ object }) => {
    const { annotations = {}, name = '' } = object.metadata;
    if (isRemoved || annotations[CUT_RELEASE] === undefined) return;
    isRemoved = true;
    const body = { metadata: { ownerReferences: null } };
    stand.world.after(0, () => {
      stand.api.patch(executionHooks, { namespace: 'ns', name }, { type: 'merge', body });
    });
  });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(isRemoved).toBe(true);
});
