/**
 * Times of a schedule in edge cases: the clock was set back, a part of the spec was removed, no further time exists.
 */
import { describe, expect, it } from 'vitest';

import type { ApplicationSnapshotSpec } from '../kinds.ts';
import type { SnapshotRestore } from '../restore/kinds.ts';
import { NO_TIMES, wantedOf } from './checked-spec.ts';
import { type CronTimes, cronTimes } from './cron.ts';
import { decide, timesFacts } from './decide.ts';
import { decideTimes, type TimesFacts } from './decide-times.ts';
import { type DueInput, dueTime, nextDueMs } from './due.ts';
import type { ScheduleFacts } from './facts.ts';
import type { SnapshotScheduleSpec, SnapshotScheduleStatus } from './kinds.ts';
import { periodsIn } from './periods.ts';
import { evictions } from './retention.ts';

const text = (time: string): string => `2026-05-01T${time}Z`;
const at = (time: string): number => Date.parse(text(time));
const hourly = cronTimes({ schedule: '0 * * * *' });

function input(more: Partial<DueInput> = {}): DueInput {
  return {
    spec: {},
    uid: 'u',
    times: hourly,
    handledMs: at('00:00:00'),
    nowMs: at('01:00:00'),
    ...more,
  };
}

describe('the next due time', () => {
  const spec = { jitterSeconds: 600 };

  it('is that of the next scheduled time, once the last one was handled before its jitter was over', () => {
    const lastDueMs = dueTime(input({ spec }), at('01:00:00'));
    const nextMs = dueTime(input({ spec }), at('02:00:00'));
    const handled = input({ spec, handledMs: at('01:00:00'), nowMs: lastDueMs - 1 });
    expect(lastDueMs).toBeGreaterThan(at('01:00:00'));
    expect(nextDueMs(handled)).toBe(nextMs);
    expect(nextDueMs({ ...handled, handledMs: at('00:00:00') })).toBe(lastDueMs);
  });

  it('is none without a further scheduled time, also with a jitter', () => {
    const over: CronTimes = { ...NO_TIMES, until: () => at('00:00:00') };
    expect(nextDueMs(input({ spec, times: over }))).toBeNull();
  });

  it('has a jitter of whole seconds, from none to the longest (SNAP-T4)', () => {
    const delays = Array.from({ length: 200 }, (_, hour) => {
      const scheduledMs = at('00:00:00') + hour * 3_600_000;
      return dueTime(input({ spec: { jitterSeconds: 2 } }), scheduledMs) - scheduledMs;
    });
    expect(new Set(delays)).toEqual(new Set([0, 1_000, 2_000]));
  });
});

describe('a recorded intent', () => {
  const pending = { name: 'n-1', scheduledTime: text('01:00:00') };
  const facts: TimesFacts = {
    runs: { pending },
    input: input(),
    wanted: '0 * * * *',
    observed: '0 * * * *',
    isSuspended: false,
    wasSuspended: false,
    exists: () => false,
    isFull: false,
  };

  it('is carried out although the clock was set back behind it (SNAP-T6)', () => {
    const before = { ...facts, input: input({ nowMs: at('00:30:00') }) };
    expect(decideTimes(before)).toEqual({ kind: 'create', scheduledMs: at('01:00:00') });
  });

  it('is not carried out once its cron expression was removed', () => {
    expect(decideTimes({ ...facts, wanted: null })).toBeNull();
  });
});

const SPEC: SnapshotScheduleSpec = {
  schedule: '0 * * * *',
  retention: { keepLast: 1 },
  snapshotTemplate: { spec: {} as ApplicationSnapshotSpec },
  rehearsal: { schedule: '20 * * * *', historyLimit: 1, verify: [] },
};

function factsOf(status: SnapshotScheduleStatus, more: Partial<ScheduleFacts> = {}): ScheduleFacts {
  return {
    problem: null,
    times: hourly,
    periodOf: periodsIn('UTC'),
    schedule: {
      metadata: { name: 'n', uid: 'u', creationTimestamp: text('00:10:00') },
      spec: SPEC,
      status,
    },
    snapshotUids: [],
    own: [],
    active: [],
    rehearsalTimes: cronTimes({ schedule: '20 * * * *' }),
    ownRehearsals: [],
    rehearsing: [],
    nowMs: at('01:30:00'),
    ...more,
  };
}

const observed = {
  handledUntil: text('01:00:00'),
  observedSchedule: wantedOf(SPEC, 'snapshot') ?? '',
};
const rehearsed = (handledUntil: string): SnapshotScheduleStatus => ({
  ...observed,
  rehearsal: { handledUntil, observedSchedule: wantedOf(SPEC, 'rehearsal') ?? '' },
});

describe('a schedule', () => {
  it('gives its UID to the jitter (SNAP-T4)', () => {
    expect(timesFacts(factsOf({}), 'snapshot').input.uid).toBe('u');
  });

  it('misses a superseded rehearsal without a look for its snapshot (SNAP-T3)', () => {
    expect(decide(factsOf(rehearsed(text('00:00:00'))))).toEqual({
      kind: 'handle',
      of: 'rehearsal',
      untilMs: at('01:20:00') - 1,
      missed: 1,
      reason: 'Superseded',
    });
  });

  it('forgets only rehearsals that have ended, and that are not being deleted (SNAP-T19)', () => {
    const restore = (name: string, status: object, metadata: object = {}): SnapshotRestore => ({
      metadata: { name, ...metadata },
      spec: { source: {} },
      status,
    });
    const ended = { completedAt: text('00:30:00') };
    const oldest = restore('oldest', ended);
    const ownRehearsals = [
      restore('running', {}),
      restore('kept', ended),
      restore('terminating', ended, { deletionTimestamp: text('01:00:00') }),
      restore('also-running', {}),
      oldest,
    ];
    expect(decide(factsOf(rehearsed(text('01:20:00')), { ownRehearsals }))).toEqual({
      kind: 'forget',
      restores: [oldest],
    });
  });
});

it('counts a snapshot whose scheduled time is now as one to keep (SNAP-T11)', () => {
  const rules = { retention: { keepLast: 1 }, periodOf: periodsIn('UTC'), nowMs: at('01:00:00') };
  const taken = [at('00:00:00'), at('01:00:00')].map((scheduledMs) => ({
    scheduledMs,
    isGood: true,
    isConsistent: true,
  }));
  expect(evictions(rules, taken)).toEqual([taken[0]]);
});
