import { describe, expect, it } from 'vitest';

import type { DeploymentLifecycleStatus, RolloutStatus } from '../kinds.ts';
import { PHASES_KEPT, ROLLOUTS_KEPT } from '../names.ts';
import { withHistory } from './rollout-history.ts';

const at = (second: number): string =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;

function rolloutOf(number: number, change: Partial<RolloutStatus> = {}): RolloutStatus {
  return {
    number,
    phase: 'Pre',
    direction: 'Rollout',
    digest: `digest-${number}`,
    template: { metadata: { annotations: { large: 'x' } } },
    startedAt: at(0),
    phaseStartedAt: at(0),
    ...change,
  };
}

function after(...rollouts: readonly RolloutStatus[]): DeploymentLifecycleStatus {
  let status: DeploymentLifecycleStatus = {};
  for (const rollout of rollouts) status = withHistory({ ...status, rollout });
  return status;
}

describe('the history in the status', () => {
  it('keeps the phases, the times and the outcome of a rollout that the next one replaces', () => {
    const failure = { reason: 'PreHookFailed', message: 'it exited with 7', at: at(5) };
    const held = { phase: 'Held', phaseStartedAt: at(5), finishedAt: at(5), failure } as const;
    const { history = [] } = after(rolloutOf(1), rolloutOf(1, held), rolloutOf(2));
    expect(history).toEqual([
      {
        number: 1,
        direction: 'Rollout',
        digest: 'digest-1',
        startedAt: at(0),
        finishedAt: at(5),
        reason: 'PreHookFailed',
        phases: [
          { phase: 'Pre', startedAt: at(0) },
          { phase: 'Held', startedAt: at(5) },
        ],
      },
      expect.objectContaining({ number: 2, phases: [{ phase: 'Pre', startedAt: at(0) }] }),
    ]);
  });

  it('keeps the revisions and the release of a rollout, and nothing that is not known', () => {
    const known = { fromRevision: '3', toRevision: '4', releasedAt: at(2), finishedAt: at(3) };
    const done = { phase: 'Done', phaseStartedAt: at(3), reason: 'Completed', ...known } as const;
    const record = { number: 1, direction: 'Rollout', digest: 'digest-1', startedAt: at(0) };
    const phases = [{ phase: 'Done', startedAt: at(3) }];
    expect(after(rolloutOf(1, done)).history).toStrictEqual([
      { ...record, ...known, reason: 'Completed', phases },
    ]);
    expect(after(rolloutOf(1)).history).toStrictEqual([
      { ...record, phases: [{ phase: 'Pre', startedAt: at(0) }] },
    ]);
  });

  it('has a phase again when it is entered again', () => {
    const twice = [at(1), at(2)].map((phaseStartedAt) => rolloutOf(1, { phaseStartedAt }));
    expect(after(...twice).history?.[0]?.phases).toHaveLength(2);
  });

  it('says nothing twice', () => {
    const once = after(rolloutOf(1));
    expect(withHistory(once)).toEqual(once);
    expect(withHistory({})).toEqual({});
  });

  it('is bounded in its rollouts, and in the phases of one that is held and restored again and again', () => {
    const many = Array.from({ length: ROLLOUTS_KEPT + 2 }, (_, index) => rolloutOf(index + 1));
    expect(after(...many).history?.map(({ number }) => number)).toEqual(
      many.slice(2).map(({ number }) => number),
    );
    const loops = Array.from({ length: PHASES_KEPT + 2 }, (_, index) =>
      rolloutOf(1, { phase: index % 2 === 0 ? 'Held' : 'Restoring', phaseStartedAt: at(index) }),
    );
    const { phases = [] } = after(...loops).history?.[0] ?? {};
    expect(phases).toHaveLength(PHASES_KEPT);
    expect(phases.at(-1)?.startedAt).toBe(at(PHASES_KEPT + 1));
  });
});
