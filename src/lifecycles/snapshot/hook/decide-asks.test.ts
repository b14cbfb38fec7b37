/** The probes after the cut: which targets a hook probes, and when its thaw waits for them (SNAP-I2, SNAP-CASE14). */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  facts,
  frozen,
  ordersOf,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus, ExecutionHookStatus, ProbeStatus } from '../kinds.ts';
import { CUT_RELEASE, CUT_SEEN, RELEASE } from '../names.ts';
import {
  inDoubt,
  isAskedLate,
  isCutSeen,
  settleAnswers,
  targetsToAsk,
  withCutToken,
} from './ask-after-cut.ts';
import { decide } from './decide.ts';
import type { Round } from './facts.ts';

const probed = actions({ probe: { command: ['probe'], timeoutSeconds: 5 } });
const expiring = actions({
  probe: { command: ['probe'], timeoutSeconds: 5 },
  expirationSeconds: 10,
});
const two = [target('a/x', frozen), target('b/x', frozen)];
const cut = { status: released('Cut') };
const terminating = { life: { kind: 'terminating', reason: 'r' } as const };
const underWay = { kind: 'underWay', cutToken: 'ab12' } as const;

/** The pods that the hook probes, and the attempts that it orders. */
function asked(more: Parameters<typeof facts>[1], resolved = probed): string[][] {
  const decision = decide(facts(two, more), resolved);
  return [decision.asks.map(({ podName }) => podName), ordersOf(decision)];
}
const thaws = ['post 1 a/x', 'post 1 b/x'];

describe('a hook, when the volumes are cut', () => {
  it('asks all its targets before the first thaw', () => {
    expect(asked(cut)).toEqual([['a', 'b'], []]);
  });

  it('asks at the release with the cause Cut, in the same decision', () => {
    const metadata = { annotations: { [CUT_RELEASE]: `ab12@${ago(0)}` } };
    expect(asked({ metadata })).toEqual([['a', 'b'], []]);
  });

  it('does not ask a target whose pod the server does not report, and thaws no target meanwhile', () => {
    expect(asked({ ...cut, known: [{ isUnread: true }] })).toEqual([['b'], []]);
  });

  it('SNAP-I5: starts no probe once it has expired', () => {
    expect(asked({ ...cut, frozenForMs: 10_000 }, expiring)).toEqual([[], thaws]);
    expect(asked({ ...cut, frozenForMs: 9_999 }, expiring)).toEqual([['a', 'b'], []]);
  });

  it('waits for a round that is under way, which ends with the expiry', () => {
    expect(asked({ ...cut, round: underWay, frozenForMs: 10_000 }, expiring)).toEqual([[], []]);
  });

  it('thaws at once where a pod terminates, since its thaw cannot wait', () => {
    expect(asked({ ...cut, known: [terminating] })).toEqual([['a', 'b'], thaws]);
    expect(asked({ ...cut, known: [{}, terminating] })).toEqual([['a', 'b'], thaws]);
  });

  it('thaws at once for every other cause, whatever it asks', () => {
    const metadata = { annotations: { [CUT_SEEN]: ago(1) } };
    expect(asked({ metadata, status: released('Human') })).toEqual([['a', 'b'], thaws]);
  });
});

const answer = (when: ProbeStatus['when'], outcome: ProbeStatus['outcome'] = 'Frozen') => ({
  when,
  at: ago(0.1),
  outcome,
});

describe('the targets that are asked', () => {
  const places = (targets: readonly ContainerStatus[], resolved = probed): string[] =>
    targetsToAsk(targets, resolved).map(({ podName }) => podName);

  it('are those that are frozen and have not answered since the cut', () => {
    const targets = [
      target('a/x', { ...frozen, thawedBy: 'gone' }),
      target('b/x', { ...frozen, probes: [answer('AfterFreeze')] }),
      target('c/x', { ...frozen, probes: [answer('AfterFreeze'), answer('AfterCut')] }),
      target('d/x', { preActionStatus: tried(['Failed'], { actionSucceed: false }) }),
      target('e/x', frozen),
    ];
    expect(places(targets)).toEqual(['b', 'e']);
    expect(places(targets, actions())).toEqual([]);
  });

  it('are none once one thaw has begun: an answer proves nothing then', () => {
    const thawing = target('b/x', { ...frozen, postActionStatus: tried(['open']) });
    expect(places([target('a/x', frozen), thawing])).toEqual([]);
  });
});

describe('the answers of a round', () => {
  const answers = new Map([
    ['uid-a/x', answer('AfterCut', 'NotFrozen')],
    ['uid-b/x', answer('AfterCut')],
  ]);
  const kept = (...targets: ContainerStatus[]): (string | undefined)[] =>
    settleAnswers(targets, { kind: 'answered', answers, cutToken: 'ab12' }).map(({ probes }) =>
      probes?.map(({ outcome }) => outcome).join(' '),
    );

  it('are kept after those before', () => {
    expect(
      kept(target('a/x', { ...frozen, probes: [answer('AfterFreeze')] }), target('b/x', frozen)),
    ).toEqual(['Frozen NotFrozen', 'Frozen']);
  });

  it('are kept once, and only of a freeze that has succeeded', () => {
    expect(kept(target('a/x', { ...frozen, probes: [answer('AfterCut')] }), target('b/x'))).toEqual(
      ['Frozen', undefined],
    );
  });

  it('are dropped once one thaw has begun', () => {
    const thawing = target('b/x', { ...frozen, postActionStatus: tried(['open']) });
    expect(kept(target('a/x', frozen), thawing)).toEqual([undefined, undefined]);
  });

  it('are kept of a target that ends meanwhile, and NotFrozen is doubted then (SNAP-I13)', () => {
    const doubted = { ...frozen, freezeDoubted: { at: ago(0.1), reason: 'r' } };
    expect(kept(target('a/x', frozen), target('b/x', doubted))).toEqual(['Unknown', 'Frozen']);
  });

  it('report why NotFrozen proves nothing, and believe Frozen', () => {
    expect(inDoubt({ ...answer('AfterCut', 'NotFrozen'), reason: 'Exit code 1.' })).toEqual({
      ...answer('AfterCut', 'Unknown'),
      reason: 'Exit code 1. It may have been thawed before or after the cut.',
    });
    expect(inDoubt(answer('AfterCut', 'NotFrozen')).reason).toBe(
      ' It may have been thawed before or after the cut.',
    );
    expect(inDoubt(answer('AfterCut'))).toEqual(answer('AfterCut'));
  });
});

describe('the signs of a cut', () => {
  const seen = (annotations: Record<string, string>): boolean[] => [
    isCutSeen({ metadata: { annotations }, spec: {} }),
    isAskedLate({ metadata: { annotations }, spec: {} }),
  ];

  it('are the sign of the snapshot controller, and a release with the cause Cut', () => {
    expect(seen({})).toEqual([false, false]);
    expect(seen({ [CUT_SEEN]: ago(1) })).toEqual([true, false]);
    expect(seen({ [CUT_RELEASE]: `ab12@${ago(1)}` })).toEqual([true, false]);
    expect(seen({ [RELEASE]: `Human@${ago(1)}` })).toEqual([false, false]);
  });

  it('are late together: another hook may be thawed already', () => {
    expect(seen({ [CUT_SEEN]: ago(1), [CUT_RELEASE]: `ab12@${ago(1)}` })).toEqual([true, true]);
  });

  it('are in the status once the release is stored', () => {
    expect(isCutSeen({ spec: {}, status: released('Cut') })).toBe(true);
    expect(isCutSeen({ spec: {}, status: released('Deleted') })).toBe(false);
    expect(isAskedLate({ spec: {} })).toBe(false);
  });
});

describe('the token of the cut (SNAP-S8)', () => {
  const seen = { [CUT_SEEN]: 'early@x' };
  const tokenOf = (
    annotations: Readonly<Record<string, string>>,
    { round = { kind: 'none' }, status = released('Cut') }: Partial<Acted> = {},
  ): string | undefined => {
    const hook = { ...facts([]).hook, metadata: { annotations } };
    return withCutToken(status, { hook, round }).cutToken;
  };

  it('is that of the release by which the thaw begins', () => {
    expect(tokenOf({ ...seen, [CUT_RELEASE]: 'ab12@x' })).toBe('ab12');
    expect(tokenOf(seen)).toBe('early');
  });

  it('is that of the annotation by which the probes were asked, whatever follows', () => {
    const round = { kind: 'answered', answers: new Map(), cutToken: 'early' } as const;
    expect(tokenOf({ [CUT_RELEASE]: 'ab12@x' }, { round })).toBe('early');
    expect(tokenOf(seen, { round, status: {} })).toBe('early');
    expect(tokenOf(seen, { round: underWay, status: {} })).toBeUndefined();
  });

  it('never changes', () => {
    const status = { ...released('Cut'), cutToken: 'first' };
    expect(tokenOf({ [CUT_RELEASE]: 'ab12@x' }, { status })).toBe('first');
  });

  it('is none for another cause, and is short whatever a client has written', () => {
    expect(tokenOf(seen, { status: released('Human') })).toBeUndefined();
    expect(tokenOf({ [CUT_RELEASE]: 'x'.repeat(99) })).toBe('x'.repeat(64));
    expect(tokenOf({ [CUT_RELEASE]: '' })).toBe('');
  });
});

interface Acted {
  readonly round: Round;
  readonly status: ExecutionHookStatus;
}
