import { describe, expect, it } from 'vitest';

import { step } from '../../../engine/step.ts';
import { actions, ago, NOW_MS, target, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus } from '../kinds.ts';
import { freezePlan, slowThawPlan, type TargetPlanFacts } from './plan.ts';
import { recordsOf, slowRecordsOf } from './records.ts';

const planFacts = (more: Partial<ContainerStatus>, resolved = actions()): TargetPlanFacts => ({
  resolved,
  target: target('a/x', more),
  release: undefined,
  expiresAtMs: null,
  nowMs: NOW_MS,
});

const next = (facts: TargetPlanFacts): string => {
  const decision = step({ plan: freezePlan(facts), records: recordsOf(facts), nowMs: NOW_MS });
  return decision.do === 'settle' ? decision.outcome : decision.do;
};

describe('recordsOf', () => {
  it('numbers attempts correctly although the first are not kept', () => {
    const pre = tried(['Failed', 'Failed'], { earlierAttempts: 3 });
    const records = recordsOf(planFacts({ preActionStatus: pre }));
    const started = records.flatMap((record) =>
      record.type === 'AttemptStarted' ? record.attempt : [],
    );
    expect(started).toEqual([1, 2, 3, 4, 5]);
    expect(records[0]).toMatchObject({ type: 'RunOpened', deadlineAtMs: NOW_MS - 2_500 + 30_000 });
  });

  it('turns an Unknown outcome into a failure if the action is idempotent (G17)', () => {
    const unseen = { preActionStatus: tried(['Unknown']) };
    const idempotent = actions({
      preAction: { exec: { command: [] }, actionTimeoutSeconds: 30, idempotent: true },
    });
    expect([next(planFacts(unseen)), next(planFacts(unseen, idempotent))]).toEqual([
      'Unknown',
      'start',
    ]);
  });

  it.each(['Unknown', 'TimedOut'] as const)(
    'keeps an outcome %s although a probe finds nothing frozen: it may freeze yet (G17)',
    (outcome) => {
      const probed = planFacts({
        preActionStatus: tried([outcome]),
        probes: [{ when: 'AfterFreeze', at: ago(0.9), outcome: 'NotFrozen' }],
      });
      expect(next(probed)).toBe('Unknown');
    },
  );

  it.each(['Unknown', 'TimedOut', 'Cancelled'] as const)(
    'keeps the outcome %s of a session although it is idempotent: its helper may still run (I9)',
    (outcome) => {
      const session = { freeze: ['f'], thaw: ['t'] };
      const preAction = { session, actionTimeoutSeconds: 30, idempotent: true };
      const preActionStatus = tried([outcome]);
      expect(next(planFacts({ preActionStatus }, actions({ preAction })))).toBe('Unknown');
    },
  );

  it('does not retry a freeze that succeeded while the probe finds nothing frozen (case 14)', () => {
    const probes = [{ when: 'AfterFreeze', at: ago(0.9), outcome: 'NotFrozen' } as const];
    const failed = { preActionStatus: tried(['Failed']) };
    expect([next(planFacts(failed)), next(planFacts({ ...failed, probes }))]).toEqual([
      'start',
      'Failed',
    ]);
  });
});

describe('slowRecordsOf', () => {
  it.each([
    [0, 10_000, 'has no deletionTimestamp'],
    [1, 20_000, 'has no deletionTimestamp'],
    [4, 160_000, 'has no deletionTimestamp'],
    [5, 300_000, 'has no deletionTimestamp'],
    [400, 300_000, 'has no deletionTimestamp'],
    [0, 1_000, 'terminates'],
    [400, 2_000, 'terminates'],
  ])('after %i slow attempts sets a pause of %i ms, where the pod %s', (...row) => {
    const [slowAttempts, pauseMs, pod] = row;
    const isHurried = pod === 'terminates';
    const post = tried(['Failed', 'Unknown'], {
      earlierAttempts: 400,
      slowAttempts,
      actionSucceed: false,
    });
    const facts = planFacts({ postActionStatus: post });
    const nowMs = NOW_MS - 1_000;
    const decision = step({
      plan: slowThawPlan({ ...facts, isHurried }),
      records: slowRecordsOf(facts.target),
      nowMs,
    });
    expect(decision).toMatchObject({ do: 'wait', untilMs: nowMs + pauseMs });
  });
});
