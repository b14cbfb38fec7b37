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
import type { ContainerStatus } from '../kinds.ts';
import { RELEASE } from '../names.ts';
import { decide, type HookDecision } from './decide.ts';

const open = { preActionStatus: tried(['open']) };

describe('decide, before the release', () => {
  it('begins the first container of each pod, with the intent in the status (R14, I3, G18)', () => {
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

  it('begins nothing while another hook holds a target, and says so (I9)', () => {
    const blocked = { reason: 'WaitsForHold', message: 'Frozen by another.' } as const;
    const decision = decide(facts([target('a/x')], { blocked, frozenForMs: null }), actions());
    expect([ordersOf(decision), decision.status.conditions?.[0]?.reason]).toEqual([
      [],
      'WaitsForHold',
    ]);
  });

  it('is frozen when every one is, and not before (R17, I7)', () => {
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

  it('makes again after a pause what has failed, and not what nobody saw end (R15, G17)', () => {
    const after = (outcome: 'Failed' | 'Unknown'): HookDecision =>
      decide(facts([target('a/x', open)], { known: [ended(outcome)] }), actions());
    expect([outcomesOf(after('Failed')), after('Failed').inMs]).toEqual([
      [[undefined, undefined, undefined]],
      500,
    ]);
    expect(outcomesOf(after('Unknown'))).toEqual([[false, undefined, undefined]]);
  });

  it('thaws at once where a freeze has failed, and tells it when none is under way any more (G8, G9)', () => {
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

  it('begins what it has recorded, where it did not learn whether that was durable', () => {
    const intended = { open: { kind: 'intended' } } as const;
    const [order] = decide(facts([target('a/x', open)], { known: [intended] }), actions()).orders;
    expect([order?.action, order?.attempt, Math.round((order?.timeoutMs ?? 0) / 1_000)]).toEqual([
      'pre',
      1,
      29,
    ]);
  });

  it('waits for the expiry, by the clock that nobody sets (R22)', () => {
    const given = actions({ expirationSeconds: 10 });
    expect(decide(facts([target('a/x', frozen)], { frozenForMs: 4_000 }), given).inMs).toBe(6_000);
    const over = decide(facts([target('a/x', frozen)], { frozenForMs: 10_000 }), given);
    expect([over.status.release?.cause, ordersOf(over)]).toEqual(['Expired', ['post 1 a/x']]);
    expect(decide(facts([target('a/x', frozen)], { frozenForMs: 1e9 }), actions()).orders).toEqual(
      [],
    );
  });

  it('gives a freeze no more time than the expiry leaves (G12)', () => {
    const given = actions({ expirationSeconds: 5 });
    const [order] = decide(facts([target('a/x')], { frozenForMs: null }), given).orders;
    expect(order?.timeoutMs).toBe(5_000);
  });
});

describe('decide, on what asks for the thaw', () => {
  it.each([
    ['a deletion', { deletionTimestamp: '2026-01-01T00:00:00Z' }, 'Deleted'],
    ['the cut', { annotations: { [RELEASE]: 'Cut@2026-01-01T00:00:00.000000Z' } }, 'Cut'],
    ['a person', { annotations: { [RELEASE]: 'please' } }, 'Human'],
    [
      'the cut, and then a deletion',
      { deletionTimestamp: '2026-01-01T00:00:00Z', annotations: { [RELEASE]: 'Cut' } },
      'Cut',
    ],
  ])('%s', (_, metadata, cause) => {
    const { status, orders } = decide(facts([target('a/x', frozen)], { metadata }), actions());
    expect([status.release?.cause, orders.length]).toEqual([cause, 1]);
  });

  it('keeps the first cause (I6)', () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const status = released('Expired');
    const decision = decide(facts([target('a/x', frozen)], { metadata, status }), actions());
    expect(decision.status.release).toEqual(status.release);
  });

  it('asks first whether it is still frozen, where the cut has been seen', () => {
    const given = actions({ probe: { command: ['probe'], timeoutSeconds: 5 } });
    const [cut] = decide(facts([target('a/x', frozen)], { status: released('Cut') }), given).orders;
    const [late] = decide(
      facts([target('a/x', frozen)], { status: released('Expired') }),
      given,
    ).orders;
    expect([cut?.askFirst, late?.askFirst]).toEqual([true, false]);
  });

  it('asks again where nobody knows the answer, and not where it is durable', () => {
    const given = actions({ probe: { command: ['probe'], timeoutSeconds: 5 } });
    const again = (more: Partial<ContainerStatus>): boolean | undefined => {
      const held = target('a/x', { ...frozen, postActionStatus: tried(['Unknown']), ...more });
      return decide(facts([held], { status: released('Cut') }), given).orders[0]?.askFirst;
    };
    const answer = { when: 'AfterCut', at: ago(1), outcome: 'Unknown' } as const;
    expect([again({}), again({ probes: [answer] })]).toEqual([true, false]);
  });

  it('lets go of what was never begun (G11, I4, case 18)', () => {
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

  it('waits for the end of a freeze that is under way, and thaws it then', () => {
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
    life: { kind: 'restarted', reason: 'the container has ended since' },
  } as const;
  const gone = { life: { kind: 'gone', reason: 'the pod a is gone' } } as const;

  it('thaws everything, since the others are frozen for nothing', () => {
    const decision = decide(
      facts([target('a/x', frozen), target('b/x', frozen)], { known: [restarted] }),
      actions(),
    );
    expect([decision.status.release?.cause, ordersOf(decision)]).toEqual([
      'Broken',
      ['post 1 a/x', 'post 1 b/x'],
    ]);
    expect(decision.status.containerExecutionHookStatuses?.[0]?.freezeLost?.reason).toBe(
      'the container has ended since',
    );
  });

  it('runs no thaw where the pod is gone, and waits for nothing that runs there', () => {
    const targets = [target('a/x', { ...frozen, postActionStatus: tried(['open']) })];
    const known = [{ ...gone, open: { kind: 'underWay' } as const }];
    const decision = decide(facts(targets, { status: released('Deleted'), known }), actions());
    expect([outcomesOf(decision), decision.isSettled]).toEqual([[[true, undefined, 'gone']], true]);
  });

  it('counts what happens after the cut no more', () => {
    const decision = decide(
      facts([target('a/x', frozen)], { status: released('Cut'), known: [restarted] }),
      actions(),
    );
    expect(decision.status.containerExecutionHookStatuses?.[0]?.freezeLost).toBeUndefined();
  });
});
