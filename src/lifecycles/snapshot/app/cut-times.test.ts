import { describe, expect, it } from 'vitest';

import { sampleEntry } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { AdmissionTimes, CutTimes } from './cut-times.ts';

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
    // Another snapshot of the same name. The wall clock is before the time of its request.
    expect(times.elapsedMs('ns/s', '2026-01-01T00:00:08Z')).toBe(0);
  });

  it('reads the wall clock again for a snapshot that was forgotten', () => {
    let wallMs = Date.parse('2026-01-01T00:00:10Z');
    const times = new CutTimes({ nowMs: () => wallMs, monotonicMs: () => 0 });
    const requestedAt = '2026-01-01T00:00:04Z';
    times.elapsedMs('ns/s', requestedAt);
    times.forget('ns/s');
    wallMs += 1_000;
    expect(times.elapsedMs('ns/s', requestedAt)).toBe(7_000);
  });
});

it('counts from the moment this process first saw an admission, by its own clock (SNAP-W4)', () => {
  let nowMs = 1_000;
  const clock = { nowMs: () => 0, monotonicMs: () => nowMs };
  const times = new AdmissionTimes(clock);
  const [a, b] = [sampleEntry('a', { admittedAt: '2001-01-01T00:00:00Z' }), sampleEntry('b')];
  expect(times.of('shop/w', [a])('a')).toBe(0);
  nowMs += 5_000;
  const later = times.of('shop/w', [a, b]);
  expect([later('a'), later('b'), later('unknown')]).toEqual([5_000, 0, 0]);
  expect(times.of('shop/other', [a])('a')).toBe(0);
  times.forget('shop/w');
  expect(times.of('shop/w', [a])('a')).toBe(0);
});
