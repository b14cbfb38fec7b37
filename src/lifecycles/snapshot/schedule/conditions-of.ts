/** Derives the conditions and the next times of a schedule from the rest of its status. Pure. */
import { type Reported, withReported } from '../../../controller/conditions.ts';
import { timeText } from '../../../controller/kube-time.ts';
import { wantedOf } from './checked-spec.ts';
import type { ScheduleFacts } from './facts.ts';
import type { LastRehearsal, RunsStatus, SnapshotScheduleStatus } from './kinds.ts';
import { overdue } from './overdue.ts';
import { RUN_KINDS, withRuns } from './runs.ts';

/** Returns the complete status to write. `reported`: conditions to add to those of every write. */
export function withSummary(
  facts: ScheduleFacts,
  status: SnapshotScheduleStatus,
  reported: readonly Reported[],
): SnapshotScheduleStatus {
  const { schedule, problem, nowMs } = facts;
  const { suspend = false } = schedule.spec;
  const current = withTimes(facts, rehearsed(facts, status));
  const all = [
    ...reported,
    ...(current.lastRehearsal === undefined ? [] : [lastRehearsal(current.lastRehearsal)]),
    ready(problem, suspend),
    // An invalid spec has no effect, so these conditions keep their last state.
    ...(problem === null ? [suspended(suspend), overdue({ ...facts, status: current })] : []),
    stalled(problem),
  ];
  const { snapshotUIDs = [...facts.snapshotUids] } = current;
  const { metadata } = schedule;
  return withReported({ ...current, snapshotUIDs }, all, { metadata, nowMs });
}

/** The status without what rehearsals left, if the spec has no rehearsals any more. An active rehearsal stays in it. */
function rehearsed(
  { schedule }: ScheduleFacts,
  status: SnapshotScheduleStatus,
): SnapshotScheduleStatus {
  if (schedule.spec.rehearsal !== undefined) return status;
  const { rehearsal, lastRehearsal: _, lastSuccessfulRehearsalTime: __, ...rest } = status;
  const { active = [] } = rehearsal ?? {};
  const { conditions = [] } = rest;
  return {
    ...rest,
    ...(active.length === 0 ? {} : { rehearsal: { active } }),
    conditions: conditions.filter(({ type }) => type !== LAST_REHEARSAL_GOOD),
  };
}

/** Adds the next times, and the cron expressions that are in force. */
function withTimes(facts: ScheduleFacts, status: SnapshotScheduleStatus): SnapshotScheduleStatus {
  const { schedule, problem, nowMs } = facts;
  return RUN_KINDS.reduce<SnapshotScheduleStatus>((before, of) => {
    const wanted = wantedOf(schedule.spec, of);
    if (wanted === null) return before;
    const times = of === 'snapshot' ? facts.times : facts.rehearsalTimes;
    const nextMs = schedule.spec.suspend === true ? null : times.after(nowMs);
    return withRuns(before, of, (runs) => ({
      ...withoutNext(runs),
      ...(problem === null ? { observedSchedule: wanted } : {}),
      ...(nextMs === null ? {} : { nextScheduleTime: timeText(nextMs) }),
    }));
  }, status);
}

function withoutNext<T extends RunsStatus>(runs: T): T {
  const rest = { ...runs };
  delete rest.nextScheduleTime;
  return rest;
}

const LAST_REHEARSAL_GOOD = 'LastRehearsalGood';

function lastRehearsal({ result, name = '', message, ...last }: LastRehearsal): Reported {
  const isPassed = result === 'Passed';
  return {
    type: LAST_REHEARSAL_GOOD,
    status: isPassed ? 'True' : 'False',
    reason: result,
    message: `${result === 'NotRun' ? last.scheduledTime : name}: ${message}`,
  };
}

function ready(problem: string | null, suspend: boolean): Reported {
  const type = 'Ready';
  if (problem !== null) return { type, status: 'False', reason: 'Invalid', message: problem };
  if (suspend) {
    return { type, status: 'True', reason: 'Suspended', message: 'No snapshot starts.' };
  }
  const message = 'Snapshots start at the scheduled times.';
  return { type, status: 'True', reason: 'Scheduled', message };
}

function suspended(suspend: boolean): Reported {
  const type = 'Suspended';
  return suspend
    ? { type, status: 'True', reason: 'Suspended', message: 'spec.suspend is true.' }
    : { type, status: 'False', reason: 'NotSuspended', message: 'spec.suspend is not true.' };
}

/** kstatus waits for an object that is not Ready, unless it is Stalled. */
function stalled(problem: string | null): Reported {
  const type = 'Stalled';
  return problem === null
    ? { type, status: 'False', reason: 'Valid', message: 'The spec is valid.' }
    : { type, status: 'True', reason: 'Invalid', message: problem };
}
