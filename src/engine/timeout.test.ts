import { describe, expect, it } from 'vitest';

import { cleanup, main } from '../../test/sim/engine/sample.ts';
import { attemptTimeoutMs } from './timeout.ts';

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
