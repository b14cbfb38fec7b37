/** When a hook is reconciled again, and which recorded attempts it begins. */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  ended,
  facts,
  frozen,
  NOW_MS,
  ordersOf,
  outcomesOf,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus } from '../kinds.ts';
import { decide, type HookDecision } from './decide.ts';

const opened = { preActionStatus: tried(['open']) };
const underWay = { open: { kind: 'underWay' } } as const;
const intended = { open: { kind: 'intended' } } as const;
const errorOf = ({ status }: HookDecision, index = 0): string | undefined =>
  status.containerExecutionHookStatuses?.[index]?.preActionStatus?.error?.message;

describe('a hook looks again', () => {
  it('when its expiry is over, counted from the freeze that begins now (SNAP-R22, SNAP-G12)', () => {
    const first = facts([target('a/x')], { frozenForMs: null });
    expect(decide(first, actions({ expirationSeconds: 60 })).inMs).toBe(60_000);
    expect(decide(first, actions()).inMs).toBeNull();
    const second = facts([target('a/x'), target('b/x', frozen)], { frozenForMs: 4_000 });
    expect(decide(second, actions({ expirationSeconds: 60 })).inMs).toBe(56_000);
    const held = facts([target('b/x', frozen)], { frozenForMs: null });
    expect(decide(held, actions({ expirationSeconds: 60 })).inMs).toBeNull();
  });

  it('after a pause, where that ends before the expiry', () => {
    const failed = facts([target('a/x', opened)], { known: [ended('Failed')], frozenForMs: 1_500 });
    expect(decide(failed, actions({ expirationSeconds: 60 })).inMs).toBe(500);
  });

  it('after the first of several pauses', () => {
    const paused = (index: number) =>
      target(`${index}/x`, {
        preActionStatus: tried(Array.from({ length: index }, () => 'Failed')),
      });
    expect(decide(facts([paused(4), paused(3)]), actions()).inMs).toBe(1_000);
  });

  it('after a second while the server does not report a pod', () => {
    const known = [{}, { isUnread: true as const }];
    const targets = [target('a/x', frozen), target('b/x', frozen)];
    for (const given of [actions(), actions({ expirationSeconds: 60 })]) {
      expect(decide(facts(targets, { known }), given).inMs).toBe(1_000);
    }
  });

  it('when its thaw counts as overdue, and not again after that (SNAP-I1)', () => {
    const thawing = (seconds: number): HookDecision =>
      decide(
        facts([target('a/x', { ...frozen, postActionStatus: tried(['open']) })], {
          status: {
            resolved: actions(),
            release: { cause: 'Cut', at: ago(seconds) },
            preActionSucceed: true,
          },
          known: [underWay],
        }),
        actions(),
      );
    expect([thawing(10).inMs, thawing(29.5).inMs]).toEqual([20_000, 500]);
    expect([thawing(30).inMs, thawing(40).inMs]).toEqual([null, null]);
  });

  it('after fifteen seconds while another hook is in its way', () => {
    const blocked = { reason: 'WaitsForHold', message: 'Frozen by another.' } as const;
    const waiting = decide(facts([target('a/x')], { blocked, frozenForMs: null }), actions());
    expect([ordersOf(waiting), waiting.inMs]).toEqual([[], 15_000]);
    const begun = facts([target('a/x', frozen), target('b/x')], { blocked });
    expect(ordersOf(decide(begun, actions()))).toEqual(['pre 1 b/x']);
  });
});

describe('a freeze', () => {
  it('is not started in a pod that the server does not report', () => {
    const targets = [target('a/x'), target('b/x')];
    const decision = decide(facts(targets, { known: [{ isUnread: true }] }), actions());
    expect(ordersOf(decision)).toEqual(['pre 1 b/x']);
  });

  it('is not started while an attempt of its pod runs (SNAP-G18)', () => {
    const targets = [target('a/x', opened), target('a/y')];
    expect(ordersOf(decide(facts(targets, { known: [underWay] }), actions()))).toEqual([]);
  });

  it('fails where its pod is deleted before it is started, with the reason', () => {
    const known = [{ life: { kind: 'gone', reason: 'the pod a is deleted' } as const }];
    const decision = decide(facts([target('a/x')], { known, frozenForMs: null }), actions());
    expect([outcomesOf(decision), errorOf(decision), decision.status.release?.cause]).toEqual([
      [[false, undefined, undefined]],
      'The pod a is deleted.',
      'PreFailed',
    ]);
  });

  it('keeps the error from before, where its pod ends between two attempts', () => {
    const error = { time: ago(1), message: 'The command exited with code 3.' };
    const failed = target('a/x', { preActionStatus: tried(['Failed'], { error }) });
    const known = [{ life: { kind: 'restarted', reason: 'the container has ended' } as const }];
    expect(errorOf(decide(facts([failed], { known }), actions()))).toBe(
      'The container has ended. Before that: The command exited with code 3.',
    );
  });

  it('reports why it was not begun, where the thaw is asked for first (SNAP-G11)', () => {
    const reported = (status: object): string | undefined =>
      errorOf(decide(facts([target('a/x')], { status, frozenForMs: null }), actions()));
    expect(reported(released('Human'))).toBe(
      'The preAction was not started: the thaw was requested before (Human).',
    );
  });

  it('reports its own error where it was begun', () => {
    const error = { time: ago(1), message: 'The command exited with code 3.' };
    const failed = target('a/x', { preActionStatus: tried(['Failed'], { error }) });
    const decision = decide(facts([failed], { status: released('Deleted') }), actions());
    expect(errorOf(decision)).toBe('The command exited with code 3.');
  });

  it('reports why it is given up where no attempt has an error', () => {
    const unseen = target('a/x', { preActionStatus: tried(['Unknown']) });
    expect(errorOf(decide(facts([unseen]), actions()))).toMatch(/preAction/u);
  });
});

describe('an order', () => {
  it('has at most the time until the expiry of the first freeze (SNAP-G12)', () => {
    const second = facts([target('a/x', frozen), target('b/x')], { frozenForMs: 8_000 });
    expect(decide(second, actions({ expirationSeconds: 10 })).orders[0]?.timeoutMs).toBe(2_000);
  });

  it('runs a freeze in the container, and the thaw of a deleted pod in a rescue pod', () => {
    const rescue = { rescue: {} };
    const kernel = actions({ lockScope: 'Kernel' });
    const [freeze] = decide(facts([target('a/x', rescue)], { frozenForMs: null }), kernel).orders;
    const deleted = { life: { kind: 'gone', reason: 'the pod a is deleted' } as const };
    const held = facts([target('a/x', { ...frozen, ...rescue })], {
      status: released('Cut'),
      known: [deleted],
    });
    const [thaw] = decide(held, kernel).orders;
    expect([freeze?.place, thaw?.place, thaw?.holderIsDead]).toEqual(['container', 'rescue', true]);
  });

  it('thaws no pod that the server does not report, and the others at once', () => {
    const targets = [target('a/x', frozen), target('b/x', frozen)];
    const known = [{ isUnread: true as const }];
    expect(ordersOf(decide(facts(targets, { status: released('Cut'), known }), actions()))).toEqual(
      ['post 1 b/x'],
    );
  });
});

it.each(['Cut', 'Expired'] as const)(
  'an end after the thaw has begun is no doubt about the freeze: %s',
  (cause) => {
    const life = { kind: 'restarted', reason: 'the container has exited since' } as const;
    const held = facts([target('a/x', frozen)], { status: released(cause), known: [{ life }] });
    const [first] = decide(held, actions()).status.containerExecutionHookStatuses ?? [];
    expect([first?.freezeLost, first?.freezeDoubted]).toEqual([undefined, undefined]);
  },
);

describe('an attempt that was recorded and not begun', () => {
  const status = { ...released('Deleted'), preActionSucceed: true };
  const thawing: ContainerStatus = target('a/x', { ...frozen, postActionStatus: tried(['open']) });

  it('is begun, with what is left of its own time and not of the other action', () => {
    const given = actions({
      postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 60 },
    });
    const [order] = decide(facts([thawing], { status, known: [intended] }), given).orders;
    expect(order?.timeoutMs).toBe(58_500);
    const freezing = facts([target('a/x', opened)], { known: [intended] });
    expect(decide(freezing, given).orders[0]?.timeoutMs).toBe(28_500);
  });

  it('is begun, with what is left of its time', () => {
    const [order] = decide(facts([thawing], { status, known: [intended] }), actions()).orders;
    expect([order?.action, order?.attempt, order?.timeoutMs]).toEqual(['post', 1, 28_500]);
  });

  it('is not begun if it is a freeze and the thaw is requested (SNAP-G8, SNAP-CASE18)', () => {
    const one = facts([target('a/x', opened)], { status: released('Deleted'), known: [intended] });
    const decision = decide(one, actions());
    expect([ordersOf(decision), decision.isSettled]).toEqual([[], true]);
    const [first] = decision.status.containerExecutionHookStatuses ?? [];
    expect(first).not.toHaveProperty('probes');
    expect(first?.preActionStatus?.attempts).toStrictEqual([
      {
        startedAt: opened.preActionStatus.attempts?.[0]?.startedAt,
        endedAt: ago(0),
        outcome: 'Failed',
        notStarted: 'Unreached',
        reason: 'The preAction was not started: the thaw was requested before (Deleted).',
      },
    ]);
    expect(errorOf(decision)).toBe(
      'The preAction was not started: the thaw was requested before (Deleted).',
    );
    const failing = facts([target('a/x', opened), target('b/x', opened)], {
      known: [ended('Failed'), intended],
    });
    const given = actions({ preAction: { exec: { command: ['f'] }, actionTimeoutSeconds: 1 } });
    expect(ordersOf(decide(failing, given))).toEqual(['post 1 a/x']);
  });

  it('is followed by a thaw if an earlier attempt of its freeze had started (SNAP-G9)', () => {
    const pre = tried(['Failed', 'open']);
    const again = facts([target('a/x', { preActionStatus: pre })], {
      status: released('Human'),
      known: [intended],
    });
    expect(ordersOf(decide(again, actions()))).toEqual(['post 1 a/x']);
  });

  it('is not begun in a deleted pod, nor in one that the server does not report', () => {
    const deleted = { life: { kind: 'gone', reason: 'the pod a is deleted' } as const };
    for (const own of [deleted, { isUnread: true as const }]) {
      const known = [{ ...intended, ...own }];
      expect(ordersOf(decide(facts([thawing], { status, known }), actions()))).toEqual([]);
    }
  });
});

describe('a slow thaw (SNAP-G15)', () => {
  const status = { ...released('Deleted'), preActionSucceed: true };
  const stuck = (slowAttempts?: number): HookDecision => {
    const post = tried(['Failed'], {
      actionTimestamp: ago(400),
      attempts: [{ startedAt: ago(400), endedAt: ago(399), outcome: 'Failed' }],
      actionSucceed: false,
      ...(slowAttempts === undefined ? {} : { slowAttempts }),
    });
    return decide(
      facts([target('a/x', { ...frozen, postActionStatus: post })], { status }),
      actions(),
    );
  };
  const counted = ({ status: after, orders }: HookDecision) => [
    after.containerExecutionHookStatuses?.[0]?.postActionStatus?.slowAttempts,
    orders[0]?.isSlow,
    orders[0]?.timeoutMs,
  ];

  it('is counted, and keeps out of the way of others', () => {
    expect(counted(stuck())).toEqual([1, true, 30_000]);
    expect(counted(stuck(1))).toEqual([2, true, 30_000]);
  });

  it('is none where the thaw has not failed yet', () => {
    expect(counted(decide(facts([target('a/x', frozen)], { status }), actions()))).toEqual([
      undefined,
      false,
      30_000,
    ]);
  });
});

it('a session is called off only while it is opened and its pod terminates', () => {
  const session = { freeze: ['f'], thaw: ['t'] };
  const { postAction: _, ...given } = actions({ preAction: { session, actionTimeoutSeconds: 10 } });
  const life = { kind: 'terminating', reason: 'r' } as const;
  const calledOff = (more: Partial<ContainerStatus>, known: object): number =>
    decide(facts([target('a/x', more)], { known: [{ life, ...known }], nowMs: NOW_MS }), given)
      .calledOff.length;
  expect([
    calledOff(opened, underWay),
    calledOff(opened, intended),
    calledOff(opened, {}),
    calledOff(frozen, { session: { kind: 'held' } }),
    calledOff({ ...frozen, postActionStatus: tried(['open']) }, underWay),
  ]).toEqual([1, 0, 0, 0, 0]);
});
