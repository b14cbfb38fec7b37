import { expect, it } from 'vitest';

import { GraceClock } from './grace.ts';

it('shortens a grace period, and never lengthens it (POD-G4)', () => {
  const clock = new GraceClock(10_000);
  let calls = 0;
  const remove = clock.onShortened(() => {
    calls += 1;
  });
  for (const endsAtMs of [12_000, 10_000]) clock.shortenTo(endsAtMs);
  expect([clock.endsAtMs, calls]).toEqual([10_000, 0]);
  clock.shortenTo(8_000);
  expect([clock.endsAtMs, calls]).toEqual([8_000, 1]);
  remove();
  clock.shortenTo(6_000);
  expect([clock.endsAtMs, calls]).toEqual([6_000, 1]);
});
