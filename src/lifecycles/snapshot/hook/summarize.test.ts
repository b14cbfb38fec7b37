/** The summaries and the conditions of a hook, as a user reads them (SNAP-R16, SNAP-R17, SNAP-R18). */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  facts,
  frozen,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus, ExecutionHookStatus } from '../kinds.ts';
import type { HookFacts } from './facts.ts';
import { summarize } from './summarize.ts';

interface Case {
  readonly targets: readonly ContainerStatus[];
  readonly before?: ExecutionHookStatus;
  readonly release?: ExecutionHookStatus['release'];
  readonly blocked?: HookFacts['blocked'];
}

function summaryOf({ targets, before = {}, release, blocked = null }: Case): ExecutionHookStatus {
  const all = { resolved: actions(), ...before };
  return summarize({
    facts: facts(targets, { status: all, blocked }),
    before: all,
    release,
    targets,
  });
}
function conditionOf(type: string, of: Case): string {
  const { conditions = [] } = summaryOf(of);
  const found = conditions.find((condition) => condition.type === type);
  return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
}

const { release } = released('Cut');
const longAgo = { cause: 'Cut', at: ago(60) } as const;
const error = (message: string) => ({ error: { time: ago(1), message } });
const failed = (place: string, more: object = {}) =>
  target(place, {
    preActionStatus: tried(['Failed'], { actionSucceed: false, ...error('exit code 3'), ...more }),
  });
const never = (place: string) =>
  target(place, { preActionStatus: { actionSucceed: false, ...error('It was not begun.') } });
const thawed = (place: string, more: Partial<ContainerStatus> = {}) =>
  target(place, {
    ...frozen,
    postActionStatus: { actionTimestamp: ago(1), actionSucceed: true },
    thawedBy: 'post',
    ...more,
  });
const stuck = (place: string) =>
  target(place, {
    ...frozen,
    postActionStatus: { actionTimestamp: ago(40), actionSucceed: false, ...error('exit code 4') },
  });
const unproven = (place: string, more: Partial<ContainerStatus> = {}) =>
  target(place, {
    ...frozen,
    thawUnproven: { at: ago(1), reason: 'the pod is deleted' },
    ...more,
  });

describe('the summaries', () => {
  const both = (of: Case): unknown[] => {
    const { preActionSucceed, postActionSucceed } = summaryOf(of);
    return [preActionSucceed, postActionSucceed];
  };
  const open = target('b/x', { preActionStatus: tried(['open']) });

  it.each<[string, Case, unknown[]]>([
    [
      'are not set before all freezes are decided (SNAP-G8)',
      { targets: [failed('a/x'), open] },
      [undefined, undefined],
    ],
    ['are true for frozen targets', { targets: [target('a/x', frozen)] }, [true, undefined]],
    [
      'are false if one freeze has failed',
      { targets: [target('a/x', frozen), failed('b/x')] },
      [false, undefined],
    ],
    ['are true for thawed targets (SNAP-R18)', { targets: [thawed('a/x')], release }, [true, true]],
    [
      'are not set while one is frozen',
      { targets: [thawed('a/x'), target('b/x', frozen)], release },
      [true, undefined],
    ],
    [
      'are false if one thaw has failed',
      { targets: [thawed('a/x'), stuck('b/x')], release },
      [true, false],
    ],
    [
      'count a target that its own end has thawed',
      { targets: [target('a/x', { ...frozen, thawedBy: 'gone' })], release },
      [true, true],
    ],
    [
      'do not count a target that was never frozen (SNAP-G11)',
      { targets: [thawed('a/x'), never('b/x')], release },
      [false, true],
    ],
    [
      'are not set while one freeze of several runs',
      {
        targets: [
          thawed('a/x'),
          target('b/x', { preActionStatus: tried(['open']), thawedBy: 'gone' }),
        ],
        release,
      },
      [undefined, undefined],
    ],
    [
      'are not set before the release, although the freeze has ended',
      { targets: [target('a/x', { ...frozen, thawedBy: 'gone' })] },
      [true, undefined],
    ],
    [
      'never change (SNAP-I6)',
      {
        targets: [thawed('a/x')],
        release,
        before: { preActionSucceed: false, postActionSucceed: false },
      },
      [false, false],
    ],
  ])('%s', (_, of, expected) => {
    expect(both(of)).toEqual(expected);
  });

  it('are absent and not undefined, since a status is stored', () => {
    const status = summaryOf({ targets: [open] });
    expect(Object.keys(status).toSorted()).toEqual([
      'conditions',
      'containerExecutionHookStatuses',
      'observedGeneration',
      'resolved',
    ]);
    expect(status.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([
      1, 1, 1, 1,
    ]);
    expect(status.observedGeneration).toBe(1);
  });
});

describe('the condition', () => {
  const blocked = { reason: 'WaitsForHold', message: 'Frozen by the hook ns/other.' } as const;
  const settled = { preActionSucceed: true };

  it.each<[string, string, Case, string]>([
    [
      'Frozen',
      'while the containers freeze',
      { targets: [target('a/x')] },
      'False Freezing: The containers are being frozen.',
    ],
    [
      'Frozen',
      'SNAP-I9: while another hook is in the way',
      { targets: [target('a/x')], blocked },
      'False WaitsForHold: Frozen by the hook ns/other.',
    ],
    [
      'Frozen',
      'once one freeze was issued, whatever is in the way',
      { targets: [target('a/x', { preActionStatus: tried(['open']) }), target('b/x')], blocked },
      'False Freezing: The containers are being frozen.',
    ],
    [
      'Frozen',
      'when all containers are frozen',
      { targets: [target('a/x', frozen), target('b/x', frozen)] },
      'True AllFrozen: 2 of 2 containers are frozen.',
    ],
    [
      'Frozen',
      'when the thaw was requested',
      { targets: [target('a/x', frozen)], release },
      `False Released: The thaw was requested at ${ago(0.1)}: Cut.`,
    ],
    ['Thawed', 'is absent before the release', { targets: [target('a/x', frozen)] }, 'absent'],
    [
      'Thawed',
      'while the containers thaw',
      { targets: [target('a/x', frozen)], release },
      'False Thawing: The containers are being thawed.',
    ],
    [
      'Thawed',
      'when all is thawed',
      { targets: [thawed('a/x')], release, before: settled },
      'True Thawed: All its containers are thawed.',
    ],
    [
      'Thawed',
      'when a thaw is late',
      { targets: [target('a/x', frozen), thawed('b/x')], release: longAgo, before: settled },
      'False ThawOverdue: x in pod a could not be thawed in time and may still be frozen; the thaw is retried.',
    ],
    [
      'Thawed',
      'when a thaw is not proven',
      { targets: [target('a/x', frozen), unproven('b/x')], release: longAgo, before: settled },
      'False ThawUnproven: It is not known whether x in pod b is thawed.',
    ],
    [
      'ThawUnproven',
      'is absent where each thaw is proven',
      { targets: [thawed('a/x')], release },
      'absent',
    ],
    [
      'ThawUnproven',
      'names the claims, each once',
      {
        targets: [
          unproven('a/x', { claimNames: ['data', 'log'] }),
          unproven('b/x', { claimNames: ['data'] }),
          thawed('c/x', { claimNames: ['other'] }),
        ],
        release,
      },
      'True ContainerEnded: x in pod a, x in pod b: the pod is deleted, and no thaw is proven. Until it is proven or marked as done by hand, no hook freezes the volumes of data, log.',
    ],
    [
      'ThawUnproven',
      'names three claims and counts the others',
      { targets: [unproven('a/x', { claimNames: ['1', '2', '3', '4', '5'] })], release },
      'True ContainerEnded: x in pod a: the pod is deleted, and no thaw is proven. Until it is proven or marked as done by hand, no hook freezes the volumes of 1, 2, 3, and 2 more.',
    ],
    [
      'ThawUnproven',
      'names all of three claims',
      { targets: [unproven('a/x', { claimNames: ['1', '2', '3'] })], release },
      'True ContainerEnded: x in pod a: the pod is deleted, and no thaw is proven. Until it is proven or marked as done by hand, no hook freezes the volumes of 1, 2, 3.',
    ],
    [
      'ThawUnproven',
      'without claims',
      { targets: [unproven('a/x')], release },
      'True ContainerEnded: x in pod a: the pod is deleted, and no thaw is proven. Until it is proven or marked as done by hand, no hook freezes its volumes.',
    ],
    [
      'ThawUnproven',
      'when a user has settled it',
      { targets: [unproven('a/x', { thawedBy: 'released' })], release },
      'False Settled: No thaw is unproven any more.',
    ],
  ])('%s %s', (...[type, , of, expected]) => {
    expect(conditionOf(type, of)).toBe(expected);
  });
});

describe('the conditions that kstatus reads (CTRL-K4)', () => {
  const progressOf = (of: Case): string => {
    const held = ['Ready', 'Reconciling', 'Stalled'].filter((type) =>
      conditionOf(type, of).startsWith('True'),
    );
    return held.join(', ');
  };
  const kept = { type: 'Failed', status: 'True', reason: 'HookFailed', message: 'm' } as const;
  const before = { conditions: [{ ...kept, lastTransitionTime: ago(9) }] };
  const held = target('p/c', frozen);

  it.each<[string, Case, string]>([
    ['Reconciling while it is frozen', { targets: [held] }, 'Reconciling'],
    ['Reconciling until a requested thaw is done', { targets: [held], release }, 'Reconciling'],
    ['Reconciling if nothing has requested the thaw', { targets: [thawed('p/c')] }, 'Reconciling'],
    ['Ready after the thaw', { targets: [thawed('p/c')], release }, 'Ready'],
    ['Stalled after a failed freeze', { targets: [never('p/c')], release }, 'Stalled'],
    ['Stalled after an earlier failure', { targets: [thawed('p/c')], release, before }, 'Stalled'],
    ['Stalled while a thaw is unproven', { targets: [unproven('p/c')], release }, 'Stalled'],
  ])('are %s', (_, of, expected) => {
    expect(progressOf(of)).toBe(expected);
  });
});
