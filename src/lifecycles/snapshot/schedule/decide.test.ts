import { describe, expect, it } from 'vitest';

import { type ApplicationSnapshot, type ApplicationSnapshotSpec } from '../kinds.ts';
import { cronTimes } from './cron.ts';
import { NO_TIMES, wantedOf } from './checked-spec.ts';
import { ACTIVE_MAX, decide, type Step, timesFacts } from './decide.ts';
import { LOOK_AGAIN_MS } from './decide-times.ts';
import type { ActiveFacts, OwnSnapshot, ScheduleFacts } from './facts.ts';
import type { SnapshotSchedule, SnapshotScheduleSpec, SnapshotScheduleStatus } from './kinds.ts';
import { runName } from './made-runs.ts';
import { periodsIn } from './periods.ts';

const at = (time: string): number => Date.parse(`2026-05-01T${time}Z`);
const text = (time: string): string => `2026-05-01T${time}Z`;
const spec: SnapshotScheduleSpec = {
  schedule: '0 * * * *',
  retention: { keepLast: 1 },
  snapshotTemplate: { spec: {} as ApplicationSnapshotSpec },
};

interface World {
  readonly more?: Partial<SnapshotScheduleSpec>;
  readonly status?: SnapshotScheduleStatus;
  readonly metadata?: object;
  readonly facts?: Partial<ScheduleFacts>;
}

function factsOf({ more = {}, status = {}, metadata = {}, facts = {} }: World): ScheduleFacts {
  const whole = { ...spec, ...more };
  const schedule: SnapshotSchedule = {
    metadata: { name: 'n', uid: 'u', creationTimestamp: text('00:10:00'), ...metadata },
    spec: whole,
    status,
  };
  return {
    problem: null,
    times: cronTimes(whole),
    periodOf: periodsIn('UTC'),
    schedule,
    snapshotUids: [],
    own: [],
    active: [],
    rehearsalTimes: whole.rehearsal === undefined ? NO_TIMES : cronTimes(whole.rehearsal),
    ownRehearsals: [],
    rehearsing: [],
    nowMs: at('01:00:00'),
    ...facts,
  };
}

const decided = (world: World): Step => decide(factsOf(world));
const nameAt = (time: string): string => runName(factsOf({}).schedule, 'snapshot', at(time));

const snapshot = (name: string, status: object = {}): ApplicationSnapshot =>
  ({ metadata: { name }, spec: {}, status }) as unknown as ApplicationSnapshot;
const activeOf = (name: string, status: object = {}): ActiveFacts => ({
  entry: { name, uid: name, scheduledTime: text('00:00:00') },
  snapshot: snapshot(name, status),
});
const running = activeOf('running');
const due = {
  scheduledMs: at('01:00:00'),
  dueMs: at('01:00:00'),
  missedBefore: 0,
  isTooLate: false,
};
const plan: Step = { kind: 'plan', of: 'snapshot', due };

describe('the next step of a schedule', () => {
  it('is none for a deleted one, and a refusal for an invalid one', () => {
    const metadata = { deletionTimestamp: text('00:30:00') };
    expect(decided({ metadata, facts: { problem: 'wrong' } })).toEqual({ kind: 'none' });
    expect(decided({ facts: { problem: 'wrong' } })).toEqual({ kind: 'refuse', problem: 'wrong' });
  });

  it('is the plan of a due time, and a wait of at most a minute before (SNAP-T2, SNAP-T6)', () => {
    expect(decided({})).toEqual(plan);
    const waits = (time: string): Step => decided({ facts: { nowMs: at(time) } });
    expect(waits('00:59:30')).toEqual({ kind: 'wait', ms: 30_000 });
    expect(waits('00:20:00')).toEqual({ kind: 'wait', ms: LOOK_AGAIN_MS });
    const never = { after: () => null, until: () => null };
    expect(decided({ facts: { times: never } })).toEqual({ kind: 'wait', ms: LOOK_AGAIN_MS });
  });

  it('counts snapshots that have ended or were deleted first', () => {
    const ended = activeOf('ended', { completedAt: text('00:50:00') });
    const deleted = { ...running, snapshot: null };
    expect(decided({ facts: { active: [running, ended, deleted] } })).toEqual({
      kind: 'settle',
      ended: [ended, deleted],
    });
  });
});

describe('times that get no snapshot', () => {
  it('are counted before the last one, or if it is too late (SNAP-T3, SNAP-T5)', () => {
    expect(decided({ facts: { nowMs: at('03:10:00') } })).toEqual({
      kind: 'handle',
      of: 'snapshot',
      untilMs: at('03:00:00') - 1,
      missed: 2,
      reason: 'Superseded',
    });
    const late = { more: { startingDeadlineSeconds: 60 }, facts: { nowMs: at('01:02:00') } };
    expect(decided(late)).toEqual({
      kind: 'handle',
      of: 'snapshot',
      untilMs: at('01:00:00'),
      missed: 1,
      reason: 'TooLate',
    });
  });

  it('are not counted if their snapshot exists (SNAP-T6)', () => {
    const found = (name: string): OwnSnapshot => ({
      snapshot: snapshot(name),
      scheduledMs: at('01:00:00'),
      state: 'Active',
      isGood: false,
      isConsistent: false,
    });
    expect(decided({ facts: { own: [found('other'), found(nameAt('01:00:00'))] } })).toEqual({
      kind: 'handle',
      of: 'snapshot',
      untilMs: at('01:00:00'),
      missed: 0,
      reason: 'Exists',
    });
    expect(decided({ facts: { own: [found('other')] } })).toEqual(plan);
  });

  it('wait for the active snapshots (SNAP-T7)', () => {
    const active = (count: number): ActiveFacts[] => Array.from({ length: count }, () => running);
    expect(decided({ facts: { active: active(1) } }).kind).toBe('wait');
    const more = { concurrencyPolicy: 'Allow' } as const;
    expect(decided({ more, facts: { active: active(ACTIVE_MAX - 1) } })).toEqual(plan);
    expect(decided({ more, facts: { active: active(ACTIVE_MAX) } }).kind).toBe('wait');
  });

  it('are those of a suspension, or of the time before a new expression (SNAP-T8)', () => {
    const condition = { type: 'Suspended', status: 'True', reason: 'r', message: '' } as const;
    const conditions = [{ ...condition, lastTransitionTime: '', observedGeneration: 1 }];
    const handled = (reason: string): object => ({
      kind: 'move',
      moves: [{ of: 'snapshot', untilMs: at('01:00:00'), reason }],
    });
    expect(decided({ status: { conditions } })).toEqual(handled('Suspended'));
    expect(decided({ more: { suspend: true }, status: { conditions } }).kind).toBe('wait');
    const observed = (observedSchedule: string): Step => decided({ status: { observedSchedule } });
    expect(observed('0 3 * * * UTC')).toEqual(handled('ScheduleChanged'));
    expect(observed('0 * * * * UTC')).toEqual(plan);
    expect(wantedOf({ ...spec, timeZone: 'Europe/Berlin' }, 'snapshot')).toBe(
      '0 * * * * Europe/Berlin',
    );
  });

  it('come again when the clock was set back (SNAP-T6)', () => {
    const status = (handledUntil: string): Step => decided({ status: { handledUntil } });
    expect(status(text('01:00:01'))).toEqual({
      kind: 'move',
      moves: [{ of: 'snapshot', untilMs: at('00:59:00'), reason: 'ClockSetBack' }],
    });
    expect(status(text('01:00:00')).kind).toBe('wait');
    const handled = factsOf({ status: { handledUntil: text('00:40:00') } });
    expect(timesFacts(handled, 'snapshot').input.handledMs).toBe(at('00:40:00'));
  });
});

describe('a recorded intent (SNAP-T2)', () => {
  const pendingAt = (time: string, more: Partial<SnapshotScheduleSpec> = {}): Step =>
    decided({
      more,
      status: {
        handledUntil: text('01:00:00'),
        pending: { name: nameAt('01:00:00'), scheduledTime: text('01:00:00') },
      },
      facts: { nowMs: at(time), active: [running] },
    });
  const scheduledMs = at('01:00:00');

  it('is carried out until its deadline, the next time or a suspension', () => {
    expect(pendingAt('01:59:59')).toEqual({ kind: 'create', of: 'snapshot', scheduledMs });
    const givenUp = (reason: string): object => ({
      kind: 'giveUp',
      of: 'snapshot',
      scheduledMs,
      reason,
    });
    expect(pendingAt('02:00:00')).toEqual(givenUp('Superseded'));
    expect(pendingAt('01:02:00', { startingDeadlineSeconds: 60 })).toEqual(givenUp('NotCreated'));
    expect(pendingAt('01:10:00', { suspend: true })).toEqual(givenUp('Suspended'));
  });
});

it('deletes what no rule keeps, but no snapshot that is active or being deleted (SNAP-T15)', () => {
  const own = (name: string, time: string, more: Partial<OwnSnapshot> = {}): OwnSnapshot => ({
    snapshot: snapshot(name),
    scheduledMs: at(time),
    state: 'Good',
    isGood: true,
    isConsistent: true,
    ...more,
  });
  const metadata = { name: 'deleted', deletionTimestamp: text('00:30:00') };
  const all = [
    own('old', '00:01:00'),
    own('active', '00:02:00', { state: 'Active' }),
    own('deleted', '00:03:00', { snapshot: { ...snapshot(''), metadata } }),
    own('new', '00:04:00'),
  ];
  const nowMs = at('00:30:00');
  expect(decided({ facts: { own: all, nowMs } })).toEqual({ kind: 'evict', snapshots: [all[0]] });
});
