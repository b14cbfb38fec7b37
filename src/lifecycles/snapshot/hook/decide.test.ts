import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  ended,
  facts,
  frozen,
  ordersOf,
  outcomesOf,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import { CUT_RELEASE, CUT_SEEN, RELEASE } from '../names.ts';
import { decide, type HookDecision } from './decide.ts';
import type { TargetFacts } from './facts.ts';

const open = { preActionStatus: tried(['open']) };

describe('decide, before the release', () => {
  it('starts the first container of each pod, with the intent in the status (SNAP-R14, SNAP-I3, SNAP-G18)', () => {
    const decision = decide(
      facts([target('a/x'), target('a/y'), target('b/x')], { frozenForMs: null }),
      actions(),
    );
    expect(ordersOf(decision)).toEqual(['pre 1 a/x', 'pre 1 b/x']);
    const [first, second] = decision.status.containerExecutionHookStatuses ?? [];
    expect(first?.preActionStatus).toEqual({
      actionTimestamp: ago(0),
      attempts: [{ startedAt: ago(0) }],
    });
    expect(second?.preActionStatus).toBeUndefined();
  });

  it('starts the next container of a pod once the one before it has frozen (SNAP-G18)', () => {
    const after = (before: object, own: Partial<TargetFacts>): string[] =>
      ordersOf(decide(facts([target('a/x', before), target('a/y')], { known: [own] }), actions()));
    expect(after(frozen, {})).toEqual(['pre 1 a/y']);
    expect(after(open, { open: { kind: 'underWay' } })).toEqual([]);
  });

  it('starts nothing while another hook holds a target, and reports that (SNAP-I9)', () => {
    const blocked = { reason: 'WaitsForHold', message: 'Frozen by another.' } as const;
    const decision = decide(facts([target('a/x')], { blocked, frozenForMs: null }), actions());
    expect([ordersOf(decision), decision.status.conditions?.[0]?.reason]).toEqual([
      [],
      'WaitsForHold',
    ]);
  });

  it('reports the hook as frozen only when all targets are (SNAP-R17, SNAP-I7)', () => {
    const one = decide(
      facts([target('a/x', frozen), target('b/x', open)], {
        known: [{}, { open: { kind: 'underWay' } }],
      }),
      actions(),
    );
    expect([one.status.preActionSucceed, one.status.conditions?.[0]?.reason]).toEqual([
      undefined,
      'Freezing',
    ]);
    const all = decide(
      facts([target('a/x', frozen), target('b/x', open)], { known: [{}, ended('Succeeded')] }),
      actions(),
    );
    expect([all.status.preActionSucceed, all.status.conditions?.[0]?.reason]).toEqual([
      true,
      'AllFrozen',
    ]);
  });

  it('retries a failed freeze after a pause, but not an Unknown one (SNAP-R15, SNAP-G17)', () => {
    const after = (outcome: 'Failed' | 'Unknown'): HookDecision =>
      decide(facts([target('a/x', open)], { known: [ended(outcome)] }), actions());
    expect([outcomesOf(after('Failed')), after('Failed').inMs]).toEqual([
      [[undefined, undefined, undefined]],
      500,
    ]);
    expect(outcomesOf(after('Unknown'))).toEqual([[false, undefined, undefined]]);
  });

  it('thaws at once after a failed freeze, and reports it when no freeze is running (SNAP-G8, SNAP-G9)', () => {
    const targets = [
      target('a/x', frozen),
      target('b/x', open),
      target('c/x', open),
      target('c/y'),
    ];
    const known = [{}, ended('Unknown'), { open: { kind: 'underWay' } as const }, {}];
    const decision = decide(facts(targets, { known }), actions());
    expect(ordersOf(decision)).toEqual(['post 1 a/x', 'post 1 b/x']);
    expect([decision.status.release?.cause, decision.status.preActionSucceed]).toEqual([
      'PreFailed',
      undefined,
    ]);
    expect(outcomesOf(decision)).toEqual([
      [true, undefined, undefined],
      [false, undefined, undefined],
      [undefined, undefined, undefined],
      [false, undefined, undefined],
    ]);
  });

  it('starts a recorded attempt whose write was not confirmed', () => {
    const intended = { open: { kind: 'intended' } } as const;
    const [order] = decide(facts([target('a/x', open)], { known: [intended] }), actions()).orders;
    expect([order?.action, order?.attempt, Math.round((order?.timeoutMs ?? 0) / 1_000)]).toEqual([
      'pre',
      1,
      29,
    ]);
  });

  it('waits for the expiry by the monotonic clock (SNAP-R22)', () => {
    const given = actions({ expirationSeconds: 10 });
    expect(decide(facts([target('a/x', frozen)], { frozenForMs: 4_000 }), given).inMs).toBe(6_000);
    const over = decide(facts([target('a/x', frozen)], { frozenForMs: 10_000 }), given);
    expect([over.status.release?.cause, ordersOf(over)]).toEqual(['Expired', ['post 1 a/x']]);
    expect(decide(facts([target('a/x', frozen)], { frozenForMs: 1e9 }), actions()).orders).toEqual(
      [],
    );
  });

  it('limits a freeze to the time before the expiry (SNAP-G12)', () => {
    const given = actions({ expirationSeconds: 5 });
    const [order] = decide(facts([target('a/x')], { frozenForMs: null }), given).orders;
    expect(order?.timeoutMs).toBe(5_000);
  });
});

describe('decide, on the release', () => {
  it.each([
    [
      'has the cause Deleted for a deletion',
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      'Deleted',
    ],
    [
      'has the cause Cut for the cut',
      { annotations: { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' } },
      'Cut',
    ],
    ['has the cause Human for a user', { annotations: { [RELEASE]: 'please' } }, 'Human'],
    [
      'has the cause Cut for the cut followed by a deletion',
      { deletionTimestamp: '2026-01-01T00:00:00Z', annotations: { [CUT_RELEASE]: '' } },
      'Cut',
    ],
  ])('%s', (_, metadata, cause) => {
    const { status, orders } = decide(facts([target('a/x', frozen)], { metadata }), actions());
    expect([status.release?.cause, orders.length]).toEqual([cause, 1]);
  });

  it('keeps the first cause (SNAP-I6)', () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const status = released('Expired');
    const decision = decide(facts([target('a/x', frozen)], { metadata, status }), actions());
    expect(decision.status.release).toEqual(status.release);
  });

  describe('with a probe', () => {
    const given = actions({ probe: { command: ['probe'], timeoutSeconds: 5 } });
    const two = [target('a/x', frozen), target('a/y', frozen)];
    const cut = { status: released('Cut') };
    const answer = { when: 'AfterCut', at: ago(0.01), outcome: 'NotFrozen' } as const;
    const cutToken = 'ab12';
    const answers = new Map([['uid-a/x', answer]]);
    const round = { kind: 'answered', answers, cutToken } as const;
    const probesOf = ({ status }: HookDecision) =>
      status.containerExecutionHookStatuses?.map(({ probes = [] }) => probes[0]?.outcome);

    it('asks all targets after the cut, and starts no thaw before their answers', () => {
      const first = decide(facts(two, cut), given);
      expect([first.asks.length, ordersOf(first)]).toEqual([2, []]);
      const meanwhile = decide(
        facts(two, { ...cut, round: { kind: 'underWay', cutToken } }),
        given,
      );
      expect([meanwhile.asks, ordersOf(meanwhile), meanwhile.isSettled]).toEqual([[], [], false]);
      const after = decide(facts(two, { ...cut, round }), given);
      expect([after.asks, ordersOf(after), probesOf(after)]).toEqual([
        [],
        ['post 1 a/y'],
        ['NotFrozen', undefined],
      ]);
    });

    it('asks at the sign of the cut, and keeps the freeze until the release', () => {
      const metadata = { annotations: { [CUT_SEEN]: '2026-01-01T00:00:00.000000Z' } };
      const asked = decide(facts(two, { metadata }), given);
      expect([asked.asks.length, asked.status.release]).toEqual([2, undefined]);
      const answered = decide(facts(two, { metadata, round }), given);
      expect([probesOf(answered)?.[0], answered.status.release]).toEqual(['NotFrozen', undefined]);
    });

    it.each(['Expired', 'Deleted', 'Human'] as const)(
      'starts no probe when released: %s',
      (cause) => {
        const decision = decide(facts(two, { status: released(cause) }), given);
        expect([decision.asks, ordersOf(decision)]).toEqual([[], ['post 1 a/y']]);
      },
    );

    it('drops an answer that came after a thaw had begun', () => {
      const held = target('a/x', { ...frozen, postActionStatus: tried(['Unknown']) });
      const decision = decide(facts([held], { ...cut, round }), given);
      expect([decision.asks, ordersOf(decision), probesOf(decision)]).toEqual([
        [],
        ['post 2 a/x'],
        [undefined],
      ]);
    });

    it('doubts NotFrozen where the container of another target no longer exists', () => {
      const [one, other] = two;
      if (one === undefined || other === undefined) throw new Error('no targets');
      const away = { ...other, thawedBy: 'gone' } as const;
      expect(probesOf(decide(facts([one, away], { ...cut, round }), given))?.[0]).toBe('Unknown');
    });
  });

  it('settles a hook that started no freeze (SNAP-G11, SNAP-I4, SNAP-CASE18)', () => {
    const decision = decide(
      facts([target('a/x')], { status: released('Deleted'), frozenForMs: null }),
      actions(),
    );
    expect([decision.isSettled, ordersOf(decision), outcomesOf(decision)]).toEqual([
      true,
      [],
      [[false, undefined, undefined]],
    ]);
  });

  it('waits for a running freeze to end before it thaws it', () => {
    const status = released('Deleted');
    const during = decide(
      facts([target('a/x', open)], { status, known: [{ open: { kind: 'underWay' } }] }),
      actions(),
    );
    expect([ordersOf(during), during.isSettled]).toEqual([[], false]);
    const after = decide(
      facts([target('a/x', open)], { status, known: [ended('Succeeded')] }),
      actions(),
    );
    expect([ordersOf(after), outcomesOf(after)]).toEqual([
      ['post 1 a/x'],
      [[true, undefined, undefined]],
    ]);
  });
});

describe('decide, on a freeze that is lost', () => {
  const restarted = {
    life: { kind: 'restarted', reason: 'the container has exited since' },
  } as const;
  const deleted = { life: { kind: 'gone', reason: 'the pod a is gone' } } as const;

  it('thaws all targets when one was restarted', () => {
    const decision = decide(
      facts([target('a/x', frozen), target('b/x', frozen)], { known: [restarted] }),
      actions(),
    );
    expect([decision.status.release?.cause, ordersOf(decision)]).toEqual([
      'Broken',
      ['post 1 a/x', 'post 1 b/x'],
    ]);
    expect(decision.status.containerExecutionHookStatuses?.[0]?.freezeLost?.reason).toBe(
      'the container has exited since',
    );
  });

  it('runs no thaw in a deleted pod, and does not wait for one running there', () => {
    const targets = [target('a/x', { ...frozen, postActionStatus: tried(['open']) })];
    const known = [{ ...deleted, open: { kind: 'underWay' } as const }];
    const decision = decide(facts(targets, { status: released('Deleted'), known }), actions());
    expect([outcomesOf(decision), decision.isSettled]).toEqual([[[true, undefined, 'gone']], true]);
  });

  it('ignores a restart after the cut', () => {
    const decision = decide(
      facts([target('a/x', frozen)], { status: released('Cut'), known: [restarted] }),
      actions(),
    );
    expect(decision.status.containerExecutionHookStatuses?.[0]?.freezeLost).toBeUndefined();
  });
});
