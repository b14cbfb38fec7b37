/**
 * SNAP-T15: the retained snapshots follow from the definition (SNAP-T11, SNAP-T13, SNAP-T14), whatever fails meanwhile.
 * Each scheduled rehearsal is handled once (SNAP-T17), and restores the snapshot of the definition (SNAP-T18). These are
 * weeks around clock changes; `test/e2e/snapshot-schedule-year.test.ts` has whole years.
 */
import { expect, it } from 'vitest';

import {
  expectYear,
  REHEARSAL,
  RETENTION,
} from '../../../../test/fixtures/snapshot/schedule-years.ts';

it.each([
  { timeZone: 'Europe/Berlin', startsAt: '2027-10-22T00:10:00Z', setsClock: false, seed: 16 },
  { timeZone: 'America/New_York', startsAt: '2026-03-01T00:10:00Z', setsClock: true, seed: 12 },
  { timeZone: 'Australia/Lord_Howe', startsAt: '2026-03-28T00:10:00Z', setsClock: false, seed: 13 },
])(
  'keeps what the definition keeps for weeks of an hourly schedule in $timeZone, from $startsAt; the clock is set: $setsClock',
  async ({ timeZone, ...when }) => {
    const spec = { timeZone, retention: RETENTION, jitterSeconds: 300, rehearsal: REHEARSAL };
    expect(await expectYear({ ...when, days: 18, spec })).toBeGreaterThan(400);
  },
);

it('keeps the last consistent snapshot while crash-consistent ones are good enough (SNAP-T12)', async () => {
  const spec = {
    timeZone: 'UTC',
    requiredVerdict: 'CrashConsistent' as const,
    retention: { keepLast: 2, keepFailed: 0 },
  };
  const when = { startsAt: '2026-02-01T00:10:00Z', setsClock: false, seed: 14 };
  expect(await expectYear({ ...when, days: 12, spec })).toBeGreaterThan(200);
});
