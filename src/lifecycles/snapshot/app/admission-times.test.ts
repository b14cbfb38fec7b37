import { expect, it } from 'vitest';

import { sampleEntry } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { AdmissionTimes } from './admission-times.ts';

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
