/**
 * Decides which scheduled time a schedule has to handle now. Pure.
 *
 *  SNAP-T3 Each scheduled time is handled once: its snapshot is created, or it is missed. If several times are not
 *     handled, the last one is due, and those before it are missed.
 *  SNAP-T4 The jitter depends only on the UID of the schedule and the scheduled time, and ends before the next time.
 *  SNAP-T5 A time whose snapshot could not start within startingDeadlineSeconds of its due time is missed.
 */
import type { CronTimes } from './cron.ts';
import type { SnapshotScheduleSpec } from './kinds.ts';

/** Maximum number of missed times that are counted at once; more times count as this number. */
export const MISSED_MAX = 100;

export interface DueInput {
  readonly spec: Pick<SnapshotScheduleSpec, 'jitterSeconds' | 'startingDeadlineSeconds'>;
  readonly uid: string;
  readonly times: CronTimes;
  /** Every scheduled time up to this one was handled. */
  readonly handledMs: number;
  readonly nowMs: number;
}

export interface Due {
  readonly scheduledMs: number;
  /** The scheduled time plus its jitter. */
  readonly dueMs: number;
  /** Number of unhandled times before it; at most MISSED_MAX. */
  readonly missedBefore: number;
  /** Whether it is too late to start. */
  readonly isTooLate: boolean;
}

/** null: nothing is due. */
export function dueNow(input: DueInput): Due | null {
  const { times, handledMs, nowMs, spec } = input;
  let scheduledMs = times.until(nowMs);
  // During the jitter of the last scheduled time, the time before it is still the due one.
  if (scheduledMs !== null && dueTime(input, scheduledMs) > nowMs) {
    scheduledMs = times.until(scheduledMs - 1);
  }
  if (scheduledMs === null || scheduledMs <= handledMs) return null;
  const dueMs = dueTime(input, scheduledMs);
  const { startingDeadlineSeconds: deadline } = spec;
  const isTooLate = deadline !== undefined && nowMs > dueMs + deadline * 1_000;
  return { scheduledMs, dueMs, missedBefore: missedBetween(input, scheduledMs), isTooLate };
}

/** The next time that is due after now; null: none. */
export function nextDueMs(input: DueInput): number | null {
  const { times, handledMs, nowMs } = input;
  const last = times.until(nowMs);
  if (last !== null && last > handledMs && dueTime(input, last) > nowMs)
    return dueTime(input, last);
  const next = times.after(nowMs);
  return next === null ? null : dueTime(input, next);
}

/**
 * The time at which a scheduled snapshot is due. Example: 120 s of jitter every minute are cut to 59 s, so that no
 * snapshot starts after that of the next minute.
 */
export function dueTime(
  { spec, uid, times }: Pick<DueInput, 'spec' | 'uid' | 'times'>,
  scheduledMs: number,
): number {
  const { jitterSeconds = 0 } = spec;
  if (jitterSeconds === 0) return scheduledMs;
  const gapSeconds = ((times.after(scheduledMs) ?? Infinity) - scheduledMs) / 1_000;
  const most = Math.min(jitterSeconds, gapSeconds - 1);
  return scheduledMs + (hash(`${uid}/${scheduledMs}`) % (most + 1)) * 1_000;
}

function missedBetween({ times, handledMs }: DueInput, scheduledMs: number): number {
  let missed = 0;
  let at = times.after(handledMs);
  while (at !== null && at < scheduledMs && missed < MISSED_MAX) {
    missed += 1;
    at = times.after(at);
  }
  return missed;
}

/** FNV-1a with 32 bits, so that the result is the same in every version of Lifehook. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const unit of text) value = Math.imul(value ^ (unit.codePointAt(0) ?? 0), 0x01_00_01_93);
  return value >>> 0;
}
