/**
 * Decides which snapshots of a schedule are deleted. Pure. The age of a snapshot counts from the newest good snapshot,
 * not from now. So while no snapshot succeeds, no good one is deleted, however long that takes.
 *
 *  SNAP-T11 A good snapshot is kept if at least one rule keeps it.
 *  SNAP-T12 The newest ApplicationConsistent snapshot is kept.
 *  SNAP-T13 The number of failed snapshots to keep is a separate rule.
 *  SNAP-T14 Snapshots that are scheduled after now are kept, and are not counted: the clock was set back.
 */
import type { Retention } from './kinds.ts';
import type { Period, PeriodOf } from './periods.ts';

export const DEFAULT_KEEP_FAILED = 3;
const HOUR_MS = 3_600_000;

export interface Ended {
  readonly scheduledMs: number;
  /** Whether the snapshot reached the required verdict. */
  readonly isGood: boolean;
  /** Whether the verdict of the snapshot is ApplicationConsistent. */
  readonly isConsistent: boolean;
}

export interface RetentionRules {
  readonly retention: Retention;
  readonly periodOf: PeriodOf;
  readonly nowMs: number;
}

/** The snapshots to delete, the oldest first. `ended`: all snapshots that have ended, in any order. */
export function evictions<T extends Ended>(
  rules: RetentionRules,
  ended: readonly T[],
): readonly T[] {
  const counted = newestFirst(rules.nowMs, ended);
  const good = counted.filter(({ isGood }) => isGood);
  const failed = counted.filter(({ isGood }) => !isGood);
  const { keepFailed = DEFAULT_KEEP_FAILED } = rules.retention;
  const kept = new Set<T>([...keptGood(rules, good), ...failed.slice(0, keepFailed)]);
  const last = lastConsistent(rules.nowMs, ended);
  if (last !== undefined) kept.add(last);
  return counted.filter((each) => !kept.has(each)).toReversed();
}

/** The newest ApplicationConsistent snapshot; undefined: none. */
export function lastConsistent<T extends Ended>(nowMs: number, all: readonly T[]): T | undefined {
  return newestFirst(nowMs, all).find(({ isConsistent }) => isConsistent);
}

/** The snapshots, newest first. Leaves out those whose scheduled time is in the future. */
function newestFirst<T extends Ended>(nowMs: number, all: readonly T[]): readonly T[] {
  return all
    .filter(({ scheduledMs }) => scheduledMs <= nowMs)
    .toSorted((a, b) => b.scheduledMs - a.scheduledMs);
}

/** The good snapshots that at least one rule keeps. `good`: the good snapshots, the newest first. */
function keptGood<T extends Ended>(
  { retention, periodOf }: RetentionRules,
  good: readonly T[],
): T[] {
  const { keepLast = 0, keepWithinHours } = retention;
  const { keepHourly, keepDaily, keepWeekly, keepMonthly } = retention;
  const newestMs = good[0]?.scheduledMs ?? 0;
  const oldestMs = keepWithinHours === undefined ? Infinity : newestMs - keepWithinHours * HOUR_MS;
  const newestOfEach = (period: Period, count = 0): T[] => {
    const seen = new Set<string>();
    return good.filter(({ scheduledMs }) => {
      if (seen.size >= count) return false;
      const name = periodOf(scheduledMs, period);
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    });
  };
  return [
    ...good.slice(0, keepLast),
    ...good.filter(({ scheduledMs }) => scheduledMs >= oldestMs),
    ...newestOfEach('hour', keepHourly),
    ...newestOfEach('day', keepDaily),
    ...newestOfEach('week', keepWeekly),
    ...newestOfEach('month', keepMonthly),
  ];
}
