/**
 * SNAP-S8: before the cut, a client that may patch ExecutionHooks writes annotations that only the snapshot controller
 * should write. The cut is proven also when the controller is killed meanwhile.
 */
import { describe, expect, it } from 'vitest';

import { contents, snapshots } from '../../../src/kube/snapshots.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, CUT_SEEN, RELEASE } from '../../../src/lifecycles/snapshot/names.ts';
import { HOOK, SnapshotStand } from './stand.ts';

const PROBED = {
  ...HOOK,
  probed: true,
  actions: { ...HOOK.actions, probe: { exec: { command: ['probe', 's0.0'] }, timeoutSeconds: 3 } },
};
const PAST = '2020-01-01T00:00:00.000000Z';
const FUTURE = '2030-01-01T00:00:00.000000Z';

/**
 * Returns the events in order, until the snapshot has ended. The client writes the annotations when the storage is
 * requested to cut.
 */
async function forged(annotations: Readonly<Record<string, string>>, hook = HOOK) {
  const stand = new SnapshotStand({ replicas: 1, hook });
  const order: string[] = [];
  const note = (what: string): void => {
    if (!order.includes(what)) order.push(what);
  };
  const forge = (): void => {
    const name = stand.snapshot?.status?.executionHookNames?.[0] ?? '';
    const body = { metadata: { annotations } };
    stand.api.patch(executionHooks, { namespace: 'ns', name }, { type: 'merge', body });
  };
  stand.onSend = ({ verb }) => {
    note(verb);
  };
  stand.api.onCommit(({ resource, object }) => {
    if (resource === resourceName(snapshots) && !order.includes('asked')) {
      note('asked');
      stand.world.after(1, forge);
    }
    const { status } = object as { status?: { creationTime?: number } };
    if (resource === resourceName(contents) && status?.creationTime !== undefined) note('cut');
  });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  return { order, status: stand.snapshot?.status };
}

describe('a release that another client has written before the cut', () => {
  it.each([
    ['of the past', HOOK, { [CUT_RELEASE]: `ab12@${PAST}` }],
    ['of the future', HOOK, { [CUT_RELEASE]: `ab12@${FUTURE}` }],
    ['without a token', HOOK, { [CUT_RELEASE]: 'Cut' }],
    ['in the words of a user', HOOK, { [RELEASE]: `Cut@${PAST}` }],
    ['of a hook with a probe', PROBED, { [CUT_RELEASE]: `ab12@${PAST}` }],
    ['after a forged report of the cut', PROBED, { [CUT_SEEN]: 'ab12', [CUT_RELEASE]: 'ab12' }],
  ])('thaws early, and makes nothing consistent: %s', async (_, hook, annotations) => {
    const { order, status } = await forged(annotations, hook);
    const thaw = order.indexOf('thaw');
    expect(thaw).toBeGreaterThan(order.indexOf('asked'));
    expect(order.slice(0, thaw)).not.toContain('cut');
    expect(status?.verdict).toMatchObject({ value: 'Inconsistent', reason: 'ThawedBeforeCut' });
  });
});

it('a forged report of the cut alone, by which a probe runs early, makes nothing consistent', async () => {
  const { order, status } = await forged({ [CUT_SEEN]: `ab12@${PAST}` }, PROBED);
  expect(order.indexOf('thaw')).toBeGreaterThan(order.indexOf('cut'));
  expect(status?.verdict).toMatchObject({ value: 'Inconsistent', reason: 'ThawedBeforeCut' });
});

describe('a controller that is killed between the request of the cut and its record', () => {
  it.each([
    ['before the cut', () => true],
    ['after the release', (stand: SnapshotStand) => isReleased(stand)],
  ])('is followed by another one, which proves the cut: %s', async (_, mayKill) => {
    const stand = new SnapshotStand({ replicas: 1 });
    let killed = false;
    stand.api.onCommit(() => {
      const isCutting = stand.snapshot?.status?.phase === 'Cutting';
      if (killed || !isCutting || !mayKill(stand)) return;
      killed = true;
      stand.replaceAfter(1_000);
    });
    await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
    expect([killed, stand.snapshot?.status?.verdict?.value]).toEqual([
      true,
      'ApplicationConsistent',
    ]);
  });
});

function isReleased({ api }: SnapshotStand): boolean {
  const hooks = api.peek(executionHooks);
  return hooks.some(({ metadata }) => metadata.annotations?.[CUT_RELEASE] !== undefined);
}
