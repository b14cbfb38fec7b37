import { expect, it } from 'vitest';

import { ElapsedTimes } from './elapsed-times.ts';

it('counts by the monotonic clock from the first question on, until it is forgotten (SNAP-R22, SNAP-I5)', () => {
  const clock = { wallMs: 10_000, monotonicMs: 500 };
  const times = new ElapsedTimes({
    nowMs: () => clock.wallMs,
    monotonicMs: () => clock.monotonicMs,
  });
  expect([times.has('h'), times.sinceMs('h', 4_000), times.has('h')]).toEqual([false, 6_000, true]);
  clock.wallMs = 0;
  clock.monotonicMs += 1_000;
  expect(times.sinceMs('h', 4_000)).toBe(7_000);
  expect(times.sinceMs('other', 4_000)).toBe(0);
  times.forget('h');
  expect(times.has('h')).toBe(false);
  clock.wallMs = 5_000;
  expect(times.sinceMs('h', 4_000)).toBe(1_000);
});
