import { describe, expect, it } from 'vitest';

import { cronTimes, whyWrongCron, whyWrongZone } from './cron.ts';

interface Span {
  readonly from: string;
  readonly to: string;
}

/** Berlin sets its clocks forward on 2026-03-29 at 2:00 (1:00 UTC), and back on 2026-10-25 at 3:00 (1:00 UTC). */
const GAP: Span = { from: '2026-03-28T23:00:00Z', to: '2026-03-29T03:00:00Z' };
const OVERLAP: Span = { from: '2026-10-24T22:30:00Z', to: '2026-10-25T03:00:00Z' };

/** The scheduled times, as hours and minutes in UTC. */
function timesIn(schedule: string, { from, to }: Span, timeZone = 'Europe/Berlin'): string[] {
  const { after } = cronTimes({ schedule, timeZone });
  const found: string[] = [];
  for (let at = after(Date.parse(from)); at !== null && at < Date.parse(to); at = after(at)) {
    found.push(new Date(at).toISOString().slice(11, 16));
  }
  return found;
}

describe('scheduled times (SNAP-T1)', () => {
  it.each([
    ['30 2 * * *', ['01:00']],
    ['30 2,14 * * *', ['01:00']],
    ['30 1-3 * * *', ['00:30', '01:00', '01:30']],
    ['30 * * * *', ['23:30', '00:30', '01:30', '02:30']],
    ['*/15 2 * * *', []],
  ])('of %s where the clock is set forward: %j UTC', (schedule, expected) => {
    expect(timesIn(schedule, GAP)).toEqual(expected);
  });

  it.each([
    ['30 2 * * *', ['00:30']],
    ['30 2,14 * * *', ['00:30']],
    ['30 * * * *', ['23:30', '00:30', '01:30', '02:30']],
    ['*/30 2 * * *', ['00:00', '00:30', '01:00', '01:30']],
  ])('of %s where the clock is set back: %j UTC', (schedule, expected) => {
    expect(timesIn(schedule, OVERLAP)).toEqual(expected);
  });

  it('are those of UTC without a time zone', () => {
    const { after } = cronTimes({ schedule: '0 3 * * *' });
    expect(after(Date.parse('2026-07-01T12:00:00Z'))).toBe(Date.parse('2026-07-02T03:00:00Z'));
  });

  it('are the same forwards and backwards, over the days on which clocks are set', () => {
    for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
      for (const schedule of ['*/20 * * * *', '30 2 * * *', '30 1,2 * * *', '0 0 L * *']) {
        const times = cronTimes({ schedule, timeZone });
        let at = times.after(Date.parse('2026-03-01T00:00:00Z')) ?? 0;
        while (at < Date.parse('2026-04-08T00:00:00Z')) {
          const next = times.after(at) ?? 0;
          expect([times.until(next), times.until(next - 1)]).toEqual([next, at]);
          at = next;
        }
      }
    }
  });

  it('end for a date that comes once in four years, and begin again', () => {
    const { after, until } = cronTimes({ schedule: '0 0 29 2 *' });
    expect(after(Date.parse('2026-03-01T00:00:00Z'))).toBe(Date.parse('2028-02-29T00:00:00Z'));
    expect(until(Date.parse('2026-03-01T00:00:00Z'))).toBe(Date.parse('2024-02-29T00:00:00Z'));
  });
});

it.each([
  ['61 * * * *', 'minute: 61'],
  ['* * * *', 'must be five fields of cron'],
  ['0 0 3 * * *', 'must be five fields of cron'],
  ['0 0 30 2 *', 'no date matches it'],
  ['@every 1h', 'must be five fields of cron'],
  ['2026-01-01T00:00:00', 'must be five fields of cron'],
  ['0 22-2 * * *', '22-2'],
])('refuses the cron expression %s and says why', (schedule, expected) => {
  expect(whyWrongCron(schedule)).toContain(expected);
});

it.each(['*/5 * * * *', '@hourly', '0 3 * * MON-FRI', '0 0 L * *', '15 4 1 JAN ?'])(
  'accepts the cron expression %s',
  (schedule) => {
    expect(whyWrongCron(schedule)).toBeNull();
  },
);

it('accepts names of time zones only', () => {
  const zones = ['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'Local', '+02:00', 'Mars/Base'];
  expect(zones.filter((zone) => whyWrongZone(zone) === null)).toEqual([
    'Europe/Berlin',
    'UTC',
    'Etc/GMT+5',
  ]);
});
