/**
 * Simulates a year of an hourly schedule in each of several time zones (SNAP-T11, SNAP-T15). The controller is down for up to
 * three days, or is killed in the middle of a reconcile. The clock is set ahead by up to 40 days or back by up to 20
 * hours.
 */
import { expect, it } from 'vitest';

import { expectYear, REHEARSAL, RETENTION } from '../fixtures/snapshot/schedule-years.ts';

const YEAR = { days: 365, startsAt: '2026-01-01T00:10:00Z' };
/** Start of another year, in which daylight saving time begins and ends on days with mostly good snapshots. */
const NEXT_YEAR = '2027-01-01T00:10:00Z';
const TIMEOUT_MS = 900_000;

it(
  'keeps the last consistent snapshot over months in which hooks fail',
  async () => {
    const retention = { keepLast: 2, keepDaily: 3, keepFailed: 1 };
    const spec = { timeZone: 'UTC', requiredVerdict: 'CrashConsistent' as const, retention };
    const options = { ...YEAR, days: 150, setsClock: false, seed: 7, spec };
    expect(await expectYear(options)).toBeGreaterThan(3_000);
  },
  TIMEOUT_MS,
);

it.each([
  { timeZone: 'UTC', setsClock: true, seed: 1 },
  { timeZone: 'Europe/Berlin', setsClock: true, seed: 2, startsAt: NEXT_YEAR },
  { timeZone: 'Europe/Berlin', setsClock: false, seed: 3, startsAt: NEXT_YEAR },
  { timeZone: 'America/New_York', setsClock: false, seed: 4, startsAt: NEXT_YEAR },
  { timeZone: 'Asia/Kathmandu', setsClock: true, seed: 5 },
  { timeZone: 'Australia/Lord_Howe', setsClock: false, seed: 6 },
])(
  'keeps what the definition keeps for a year in $timeZone; the clock is set: $setsClock',
  async ({ timeZone, ...more }) => {
    const spec = { timeZone, retention: RETENTION, jitterSeconds: 300, rehearsal: REHEARSAL };
    expect(await expectYear({ ...YEAR, ...more, spec })).toBeGreaterThan(8_000);
  },
  TIMEOUT_MS,
);
