import { describe, expect, it } from 'vitest';

import { backoffMs } from './sleep.ts';

const backoff = { firstMs: 100, maxMs: 5_000 };

describe('backoffMs', () => {
  it('doubles with each failure, up to its maximum', () => {
    const waits = [1, 2, 3, 4, 7, 2_000].map((failures) => backoffMs(failures, backoff, 1));
    expect(waits).toEqual([100, 200, 400, 800, 5_000, 5_000]);
  });

  it('spreads the wait over the upper half of the interval by jitter', () => {
    expect(backoffMs(1, backoff, 0)).toBe(50);
    expect(backoffMs(7, backoff, 0.5)).toBe(3_750);
  });
});
