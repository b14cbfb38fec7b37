/** A process that leads again, before a server that was put back to an older state. */
import { expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';
import { nodes, pods } from '../../../kube/resources.ts';
import { snapshots } from '../../../kube/snapshots.ts';
import { resourceName } from '../../../kube/object.ts';
import { type ExecutionHook, executionHooks } from '../kinds.ts';

function hookOf({ api }: SnapshotStand): ExecutionHook | undefined {
  return api.peek(executionHooks)[0] as ExecutionHook | undefined;
}

it('requests no snapshot of a volume before the server says that the hook has frozen, whatever the cache says (SNAP-I12)', async () => {
  const stand = new SnapshotStand({ replicas: 2 });
  const { api } = stand;
  await stand.eventually(() => hookOf(stand) !== undefined);
  const backup = api.backup();
  await stand.eventually(() => api.peek(snapshots).length > 0);
  const answer = api.rules.add(() => ({ kind: 'losesRequest' }));
  await stand.eventually(() => stand.world.elapsedMs > 20_000);
  const list = api.rules.add(({ verb, resource }) =>
    ['list', 'watch'].includes(verb) && resource === executionHooks
      ? { kind: 'answers', afterMs: 0, refusal: failure(500, 'InternalError', 'conversion failed') }
      : null,
  );
  api.restore(backup, [pods, nodes]);
  answer();
  const frozen: unknown[] = [];
  api.onCommit(({ resource, type }) => {
    if (resource === resourceName(snapshots) && type === 'Upsert' && frozen.length === 0)
      frozen.push(hookOf(stand)?.status?.preActionSucceed);
  });
  stand.world.after(60_000, list);
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(frozen).toEqual([true]);
});
