import { expect, it } from 'vitest';

import type { SnapshotSchedule, SnapshotScheduleStatus } from './kinds.ts';
import { SchedulesNow } from './schedules-now.ts';

function scheduled(schedule: string, status?: SnapshotScheduleStatus): SnapshotSchedule {
  return {
    metadata: { namespace: 'shop', name: 'db', creationTimestamp: '2026-05-01T00:00:00Z' },
    spec: {
      schedule,
      retention: { keepLast: 1 },
      snapshotTemplate: { spec: { source: { persistentVolumeClaimNames: ['data'] } } },
    },
    ...(status === undefined ? {} : { status }),
  };
}

const now = (time: string): SchedulesNow => new SchedulesNow({ nowMs: () => Date.parse(time) });

it('has the last good snapshot and the numbers of a schedule', () => {
  const status: SnapshotScheduleStatus = {
    lastSuccessfulTime: '2026-05-02T03:00:10Z',
    active: [{ name: 'db-1', uid: 'u', scheduledTime: '2026-05-02T04:00:00Z' }],
    totals: { good: 4, failed: 3, missed: 2, late: 1 },
  };
  expect(now('2026-05-02T04:00:00Z').of([scheduled('0 * * * *', status)])).toEqual([
    {
      namespace: 'shop',
      name: 'db',
      lastGoodSeconds: Date.parse('2026-05-02T03:00:10Z') / 1_000,
      intervalSeconds: 3_600,
      active: 1,
      isSuspended: false,
      good: 4,
      failed: 3,
      missed: 2,
      late: 1,
      rehearsals: null,
    },
  ]);
});

it('counts the age of the last good rehearsal from the time from which they count', () => {
  const verify = [{ name: 'check', pod: { image: 'none', command: ['true'] } }];
  const rehearsal = { schedule: '0 3 * * *', verify };
  const rehearsedAt = (status: SnapshotScheduleStatus): unknown => {
    const schedule = scheduled('0 * * * *', status);
    const withRehearsal = { ...schedule, spec: { ...schedule.spec, rehearsal } };
    return now('2026-05-02T04:00:00Z').of([withRehearsal])[0]?.rehearsals;
  };
  const since = '2026-05-02T01:00:00Z';
  const totals = { good: 4, failed: 3, missed: 2, late: 1 };
  const figures = { intervalSeconds: 86_400, good: 4, failed: 3, missed: 2 };
  expect(rehearsedAt({ rehearsal: { since, totals } })).toEqual({
    lastGoodSeconds: Date.parse(since) / 1_000,
    ...figures,
  });
  const passed = (time: string): unknown =>
    rehearsedAt({ rehearsal: { since, totals }, lastSuccessfulRehearsalTime: time });
  const later = '2026-05-02T03:00:00Z';
  expect(passed(later)).toEqual({ lastGoodSeconds: Date.parse(later) / 1_000, ...figures });
  // This success is of an earlier rehearsal, before the spec was changed, so it does not count.
  expect(passed('2026-04-01T03:00:00Z')).toMatchObject({
    lastGoodSeconds: Date.parse(since) / 1_000,
  });
});

it('counts from the creation of the schedule before its first good snapshot', () => {
  const [figures] = now('2026-05-02T04:00:00Z').of([scheduled('0 3 * * *')]);
  expect(figures).toMatchObject({
    lastGoodSeconds: Date.parse('2026-05-01T00:00:00Z') / 1_000,
    intervalSeconds: 86_400,
    good: 0,
  });
});

it.each([
  // 2026-05-02 is a Saturday.
  ['2026-05-02T12:00:00Z', 64],
  ['2026-05-05T12:30:00Z', 16],
])('has the longest time between two snapshots of office hours, at %s', (time, hours) => {
  const [figures] = now(time).of([scheduled('0 9-17 * * MON-FRI')]);
  expect(figures?.intervalSeconds).toBe(hours * 3_600);
});

it('has no interval for an invalid schedule', () => {
  const [figures] = now('2026-05-02T12:00:00Z').of([scheduled('61 * * * *')]);
  expect(figures?.intervalSeconds).toBe(0);
});
