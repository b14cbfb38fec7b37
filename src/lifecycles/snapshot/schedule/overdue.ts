/**
 * Decides whether a schedule is overdue. Pure.
 *
 *  SNAP-T22 A schedule is overdue an hour after the second scheduled time without a good snapshot. Times that do not
 *     count, such as those of a suspension, make no schedule overdue.
 */
import type { Reported } from '../../../controller/conditions.ts';
import type { CronTimes } from './cron.ts';
import type { SnapshotSchedule, SnapshotScheduleStatus } from './kinds.ts';

export const OVERDUE = 'Overdue';
export const GOOD_SNAPSHOT = 'GoodSnapshot';

/** Milliseconds that the jitter, the freeze and the storage may take. */
const GRACE_MS = 3_600_000;

export interface OverdueInput {
  readonly schedule: SnapshotSchedule;
  readonly status: SnapshotScheduleStatus;
  readonly times: CronTimes;
  readonly nowMs: number;
}

export function overdue(input: OverdueInput): Reported {
  const { schedule, times, nowMs } = input;
  const no = { type: OVERDUE, status: 'False' } as const;
  if (schedule.spec.suspend === true) {
    return { ...no, reason: 'Suspended', message: 'No snapshot is due.' };
  }
  const { from, isGood } = startOf(input);
  const secondMs = times.after(times.after(Date.parse(from)) ?? Infinity) ?? Infinity;
  if (nowMs > secondMs + GRACE_MS) {
    const message = `No good snapshot since ${from}: two scheduled times have passed.`;
    return { type: OVERDUE, status: 'True', reason: 'NoGoodSnapshot', message };
  }
  return isGood
    ? { ...no, reason: GOOD_SNAPSHOT, message: `The last good snapshot is of ${from}.` }
    : { ...no, reason: 'NotDue', message: `Scheduled times count from ${from}.` };
}

/** The time from which scheduled times count, and whether a good snapshot was taken then. */
function startOf({ schedule, status }: OverdueInput): { from: string; isGood: boolean } {
  const { lastSuccessfulTime = '', since = schedule.metadata?.creationTimestamp ?? '' } = status;
  const isGood = Date.parse(lastSuccessfulTime) > Date.parse(since);
  return { from: isGood ? lastSuccessfulTime : since, isGood };
}
