import { describe, expect, it } from 'vitest';

import { step } from '../../../engine/step.ts';
import { actions, ago, NOW_MS, target, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus } from '../kinds.ts';
import { freezePlan, slowThawPlan, type TargetPlanFacts, thawSeconds } from './plan.ts';
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

  it('turns an Unknown outcome into a failure if the action is idempotent (SNAP-G17)', () => {
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
    'keeps an outcome %s although a probe finds nothing frozen: it may freeze yet (SNAP-G17)',
    (outcome) => {
      const probed = planFacts({
        preActionStatus: tried([outcome]),
        probes: [{ when: 'AfterFreeze', at: ago(0.9), outcome: 'NotFrozen' }],
      });
      expect(next(probed)).toBe('Unknown');
    },
  );

  it.each(['Unknown', 'TimedOut', 'Cancelled'] as const)(
    'keeps the outcome %s of a session although it is idempotent: its helper may still run (SNAP-I9)',
    (outcome) => {
      const session = { freeze: ['f'], thaw: ['t'] };
      const preAction = { session, actionTimeoutSeconds: 30, idempotent: true };
      const preActionStatus = tried([outcome]);
      expect(next(planFacts({ preActionStatus }, actions({ preAction })))).toBe('Unknown');
    },
  );

  it('does not retry a freeze that succeeded while the probe finds nothing frozen (SNAP-CASE14)', () => {
    const probes = [{ when: 'AfterFreeze', at: ago(0.9), outcome: 'NotFrozen' } as const];
    const failed = { preActionStatus: tried(['Failed']) };
    expect([next(planFacts(failed)), next(planFacts({ ...failed, probes }))]).toEqual([
      'start',
      'Failed',
    ]);
  });
});

describe('the records of a target', () => {
  const types = (more: Partial<ContainerStatus>, resolved = actions()): string[] =>
    recordsOf(planFacts(more, resolved)).map((record) => {
      if (record.type !== 'AttemptSettled') return record.type;
      return `${record.step} ${record.result.outcome} ${record.result.durationMs} ms`;
    });

  it('have an end for each attempt that has ended, with its duration', () => {
    expect(types({ preActionStatus: tried(['Failed', 'open']) })).toEqual([
      'RunOpened',
      'AttemptStarted',
      'preAction Failed 500 ms',
      'AttemptStarted',
    ]);
  });

  it('count an attempt that was not started as a failure, whatever its outcome (SNAP-G17)', () => {
    const pre = tried(['Unknown']);
    const attempts = (pre.attempts ?? []).map((one) => ({
      ...one,
      notStarted: 'Unreached' as const,
    }));
    expect(types({ preActionStatus: { ...pre, attempts } })).toContain('preAction Failed 500 ms');
  });

  it('count a timeout of an idempotent action as a failure (SNAP-G17)', () => {
    const preAction = { exec: { command: [] }, actionTimeoutSeconds: 30, idempotent: true };
    const pre = { preActionStatus: tried(['TimedOut', 'Cancelled']) };
    expect(types(pre, actions({ preAction }))).toContain('preAction Failed 500 ms');
    expect(types(pre)).toContain('preAction Unknown 500 ms');
  });

  it('have the time of the first attempt that is kept for those that are not', () => {
    const started = (more: object): (number | undefined)[] =>
      recordsOf(planFacts({ preActionStatus: tried(['Failed'], { earlierAttempts: 1, ...more }) }))
        .filter(({ type }) => type === 'AttemptStarted')
        .map(({ atMs }) => atMs);
    expect(started({ actionTimestamp: ago(60) })).toEqual([NOW_MS - 1_500, NOW_MS - 1_500]);
    expect(started({ actionTimestamp: ago(60), attempts: [] })).toEqual([NOW_MS - 60_000]);
  });

  it('have no slow attempts of the thaw, which a plan of its own judges (SNAP-G15)', () => {
    const post = tried(['Failed', 'Failed', 'Failed'], { slowAttempts: 2 });
    const thawed = types({ postActionStatus: post }).filter((text) => text.startsWith('post'));
    expect(thawed).toEqual(['postAction Failed 500 ms']);
  });

  it('have the release as a cancellation, at its time', () => {
    const release = { cause: 'Cut', at: ago(3) } as const;
    const facts = { ...planFacts({}), release };
    expect(recordsOf(facts).at(-1)).toMatchObject({
      type: 'CancelRequested',
      atMs: NOW_MS - 3_000,
      reason: 'Cut',
    });
    expect(types({})).toEqual(['RunOpened']);
  });
});

describe('the plan of a freeze', () => {
  const failed = (at: number): ContainerStatus['probes'] => [
    { when: 'AfterFreeze', at: ago(at), outcome: 'NotFrozen' },
  ];
  const after = (probes: ContainerStatus['probes'] = []): string =>
    next(planFacts({ preActionStatus: tried(['Failed']), probes }));

  it('retries a failure, unless the probe after it finds nothing frozen (SNAP-CASE14)', () => {
    expect([after(), after(failed(3)), after(failed(1.5)), after(failed(0.5))]).toEqual([
      'start',
      'start',
      'Failed',
      'Failed',
    ]);
  });

  it('names the container in what it reports', () => {
    expect(freezePlan(planFacts({})).title).toBe('container x of pod a');
  });

  it('has the freeze as one step of the object, whose failure ends the run', () => {
    expect(freezePlan(planFacts({})).steps).toEqual([
      expect.objectContaining({
        kind: 'main',
        name: 'preAction',
        policy: expect.objectContaining({ failurePolicy: 'Abort' }),
        source: { kind: 'object', object: 'preAction' },
      }),
    ]);
  });
});

describe('the time of a thaw', () => {
  const session = { freeze: ['f'], thaw: ['t'] };
  const preAction = { session, actionTimeoutSeconds: 10 };
  const { postAction: _, ...bare } = actions({ preAction });

  it('covers the window of a session, which is 15 s if not given, and its slack', () => {
    expect(thawSeconds(bare)).toBe(20);
    const long = { ...preAction, session: { ...session, windowSeconds: 60 } };
    expect(thawSeconds({ ...bare, preAction: long })).toBe(65);
    expect(thawSeconds({ ...bare, preAction: { ...preAction, actionTimeoutSeconds: 90 } })).toBe(
      90,
    );
  });

  it('is that of the postAction alone, where there is no session (SNAP-G16)', () => {
    const postAction = { exec: { command: ['thaw'] }, actionTimeoutSeconds: 7 };
    expect(thawSeconds(actions({ postAction }))).toBe(7);
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
