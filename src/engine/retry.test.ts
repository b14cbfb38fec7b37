import { describe, expect, it } from 'vitest';

import { samplePolicy, cleanup, main } from '../../test/sim/engine/sample.ts';
import {
  dueAtMs,
  MAX_PAUSE_MS,
  mayRepeat,
  MIN_PERSISTENT_PAUSE_MS,
  pauseMs,
  attemptTimeoutMs,
} from './retry.ts';

const seconds = (backoffSeconds: number, policy: 'Abort' | 'Retry' = 'Abort'): number[] =>
  [1, 2, 3, 4, 5, 6, 7].map(
    (failures) => pauseMs(samplePolicy({ backoffSeconds, policy }), failures) / 1_000,
  );

describe('pauseMs', () => {
  it('doubles with each failure up to its cap', () => {
    expect(seconds(10)).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it('doubles up to the cap of the hook', () => {
    const plain = samplePolicy();
    const capped = { ...plain, retry: { limit: 9, backoffSeconds: 0.5, maxBackoffSeconds: 3 } };
    expect([1, 2, 3, 4, 5].map((failures) => pauseMs(capped, failures))).toEqual([
      500, 1_000, 2_000, 3_000, 3_000,
    ]);
    const persistent = { ...capped, failurePolicy: 'Retry' as const };
    const brief = { ...persistent, retry: { ...capped.retry, maxBackoffSeconds: 0.5 } };
    expect([pauseMs(persistent, 9), pauseMs(brief, 9)]).toEqual([3_000, MIN_PERSISTENT_PAUSE_MS]);
  });

  it('is 0 without a backoff', () => {
    expect(seconds(0)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('is at least 1 s under Retry', () => {
    expect(seconds(0, 'Retry')).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(MIN_PERSISTENT_PAUSE_MS).toBe(1_000);
  });

  it('stays at its cap after 5000 failures', () => {
    expect(pauseMs(samplePolicy({ backoffSeconds: 0.001 }), 5_000)).toBe(MAX_PAUSE_MS);
    expect(pauseMs(samplePolicy(), 5_000)).toBe(0);
  });
});

describe('mayRepeat', () => {
  it('allows as many retries as the limit', () => {
    const policy = samplePolicy({ limit: 2 });
    expect([1, 2, 3].map((failures) => mayRepeat(policy, failures))).toEqual([true, true, false]);
  });

  it('allows any number of retries under Retry', () => {
    expect(mayRepeat(samplePolicy({ policy: 'Retry' }), 1_000)).toBe(true);
  });
});

describe('dueAtMs', () => {
  const due = (nowMs: number): number => dueAtMs({ endedAtMs: 100, nowMs, pauseMs: 10 });

  it('is one pause after the end of the last attempt', () => {
    expect([due(100), due(103), due(115)]).toEqual([110, 110, 110]);
  });

  it('is unchanged when the clock is set back by less than the pause', () => {
    expect([due(95), due(90)]).toEqual([110, 110]);
  });

  it('is now when the clock is set back by more than the pause', () => {
    expect([due(89), due(0)]).toEqual([89, 0]);
  });
});

describe('attemptTimeoutMs', () => {
  it.each([
    [30, 12_000, 12_000],
    [30, 45_000, 30_000],
    [30, null, 30_000],
    [null, 12_000, 12_000],
    [null, null, null],
  ])(
    'ENG-E13: is, for a main step with a timeout of %s s and %s ms left, %s ms',
    (timeoutSeconds, restMs, expected) => {
      const deadlineAtMs = restMs === null ? null : 1_000 + restMs;
      expect(attemptTimeoutMs(main('a', { timeoutSeconds }), { deadlineAtMs, nowMs: 1_000 })).toBe(
        expected,
      );
    },
  );

  it('ENG-E9, ENG-E13: is the own timeout of a cleanup step, also past the deadline', () => {
    const step = cleanup('z', { timeoutSeconds: 30 });
    expect(attemptTimeoutMs(step, { deadlineAtMs: 1_000, nowMs: 9_000 })).toBe(30_000);
  });

  it('ENG-E13: is 0 past the deadline', () => {
    expect(attemptTimeoutMs(main('a'), { deadlineAtMs: 1_000, nowMs: 9_000 })).toBe(0);
  });
});
