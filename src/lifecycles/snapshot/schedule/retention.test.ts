import { describe, expect, it } from 'vitest';

import type { Retention } from './kinds.ts';
import { periodsIn } from './periods.ts';
import { type Ended, evictions } from './retention.ts';

interface Taken extends Ended {
  readonly at: string;
}

const good = (at: string, more: Partial<Ended> = {}): Taken => ({
  at,
  scheduledMs: Date.parse(`2026-${at}:00Z`),
  isGood: true,
  isConsistent: true,
  ...more,
});
const failed = (at: string): Taken => good(at, { isGood: false, isConsistent: false });
const crash = (at: string): Taken => good(at, { isConsistent: false });

function deleted(
  retention: Retention,
  taken: readonly Taken[],
  { timeZone = 'UTC', now = '12-31T00:00' } = {},
): readonly string[] {
  const nowMs = Date.parse(`2026-${now}:00Z`);
  return evictions({ retention, periodOf: periodsIn(timeZone), nowMs }, taken).map(({ at }) => at);
}

const hours = (day: string, ...list: readonly string[]): Taken[] =>
  list.map((hour) => good(`${day}T${hour}:00`));

describe('the retention (SNAP-T11)', () => {
  it('keeps the last ones by count, whatever their order', () => {
    const taken = hours('05-01', '02', '00', '03', '01');
    expect(deleted({ keepLast: 2 }, taken)).toEqual(['05-01T00:00', '05-01T01:00']);
  });

  it('keeps by age, counted from the newest good one and not from now', () => {
    const taken = hours('05-01', '00', '01', '02', '03');
    expect(deleted({ keepWithinHours: 2 }, taken)).toEqual(['05-01T00:00']);
  });

  it('keeps the newest of each of the last hours that have one', () => {
    const taken = [...hours('05-01', '00', '03', '04'), good('05-01T04:30'), good('05-01T03:59')];
    expect(deleted({ keepHourly: 2 }, taken)).toEqual([
      '05-01T00:00',
      '05-01T03:00',
      '05-01T04:00',
    ]);
  });

  it('keeps the newest of each day of the time zone', () => {
    // 22:30 UTC is the next day in Berlin.
    const taken = [good('05-01T20:00'), good('05-01T22:30'), good('05-02T21:00')];
    expect(deleted({ keepDaily: 2 }, taken)).toEqual(['05-01T20:00']);
    expect(deleted({ keepDaily: 1 }, taken)).toEqual(['05-01T20:00', '05-01T22:30']);
    expect(deleted({ keepDaily: 2 }, taken, { timeZone: 'Europe/Berlin' })).toEqual([
      '05-01T22:30',
    ]);
  });

  it('keeps the newest of each week from Monday, and of each month', () => {
    // 2026-05-03 is a Sunday.
    const taken = [
      good('04-30T12:00'),
      good('05-02T12:00'),
      good('05-03T12:00'),
      good('05-04T12:00'),
    ];
    expect(deleted({ keepWeekly: 1 }, taken)).toEqual([
      '04-30T12:00',
      '05-02T12:00',
      '05-03T12:00',
    ]);
    expect(deleted({ keepWeekly: 9 }, taken)).toEqual(['04-30T12:00', '05-02T12:00']);
    expect(deleted({ keepMonthly: 2 }, taken)).toEqual(['05-02T12:00', '05-03T12:00']);
  });

  it('takes the hour that occurs twice as two hours', () => {
    const taken = [good('10-25T00:15'), good('10-25T00:45'), good('10-25T01:15')];
    const berlin = { timeZone: 'Europe/Berlin' };
    expect(deleted({ keepHourly: 9 }, taken, berlin)).toEqual(['10-25T00:15']);
    expect(deleted({ keepDaily: 9 }, taken, berlin)).toEqual(['10-25T00:15', '10-25T00:45']);
  });

  it('keeps what any rule keeps', () => {
    const taken = [good('04-30T23:00'), ...hours('05-01', '00', '01', '02')];
    expect(deleted({ keepLast: 1, keepDaily: 2 }, taken)).toEqual(['05-01T00:00', '05-01T01:00']);
  });
});

it('never deletes the newest ApplicationConsistent snapshot (SNAP-T12)', () => {
  const taken = [
    good('05-01T00:00'),
    good('05-01T01:00'),
    crash('05-01T02:00'),
    crash('05-01T03:00'),
  ];
  expect(deleted({ keepLast: 1 }, taken)).toEqual(['05-01T00:00', '05-01T02:00']);
});

it('counts failed snapshots separately, and keeps three without keepFailed (SNAP-T13)', () => {
  const taken = [
    good('05-01T00:00'),
    ...['01', '02', '03', '04'].map((hour) => failed(`05-01T${hour}:00`)),
  ];
  expect(deleted({ keepLast: 1 }, taken)).toEqual(['05-01T01:00']);
  expect(deleted({ keepLast: 1, keepFailed: 1 }, taken)).toHaveLength(3);
  expect(deleted({ keepLast: 1, keepFailed: 0 }, taken)).toHaveLength(4);
});

it('sets snapshots aside that are scheduled after now (SNAP-T14)', () => {
  const taken = hours('05-01', '00', '01', '02', '03');
  expect(deleted({ keepLast: 1 }, taken, { now: '05-01T01:30' })).toEqual(['05-01T00:00']);
});

it('deletes nothing only because time passes', () => {
  const taken = hours('05-01', '00', '01', '02');
  const retention: Retention = { keepLast: 1, keepWithinHours: 2, keepHourly: 3, keepDaily: 1 };
  expect(deleted(retention, taken, { now: '05-01T02:00' })).toEqual([]);
  expect(deleted(retention, taken, { now: '12-31T00:00' })).toEqual([]);
});
