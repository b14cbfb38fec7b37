import { describe, expect, it } from 'vitest';

import { CutTimes } from './cut-times.ts';

describe('CutTimes', () => {
  it('reads the wall clock once per request, and then counts by the monotonic clock', () => {
    const clock = { wallMs: Date.parse('2026-01-01T00:00:10Z'), monotonicMs: 500 };
    const times = new CutTimes({
      nowMs: () => clock.wallMs,
      monotonicMs: () => clock.monotonicMs,
    });
    const requestedAt = '2026-01-01T00:00:04Z';
    expect(times.elapsedMs('ns/s', undefined)).toBeUndefined();
    expect(times.elapsedMs('ns/s', requestedAt)).toBe(6_000);
    clock.wallMs -= 3_600_000;
    clock.monotonicMs += 1_000;
    expect(times.elapsedMs('ns/s', requestedAt)).toBe(7_000);
    // Another snapshot of that name, and a clock that stands before its request.
    expect(times.elapsedMs('ns/s', '2026-01-01T00:00:08Z')).toBe(0);
  });
});
