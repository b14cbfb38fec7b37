/**
 * Decides the next step for the times of one cron expression: for snapshots of a schedule, or for its rehearsals. Pure.
 *
 *  SNAP-T6 If the clock is set back, times that occur again are handled again; a run that exists is not created again.
 *  SNAP-T7 A due time waits while the maximum number of runs is active.
 *  SNAP-T8 Times while the schedule is suspended do not count; nor do times before a change of the cron expression.
 */
import { type Due, type DueInput, dueNow } from './due.ts';
import type { RunsStatus } from './kinds.ts';

export type MissedReason = 'TooLate' | 'Superseded' | 'NoSnapshot';

type GivenUpReason = 'Superseded' | 'NotCreated' | 'Suspended';

/** Milliseconds after which a changed wall clock is noticed at the latest. */
export const LOOK_AGAIN_MS = 60_000;

export interface TimesFacts {
  readonly runs: RunsStatus;
  readonly input: DueInput;
  /** The cron expression and the time zone in the spec; null: the spec has none. */
  readonly wanted: string | null;
  /** The expression and the time zone in force when the status was last written. */
  readonly observed: string | null;
  readonly isSuspended: boolean;
  /** Whether the schedule was suspended when its status was last written. */
  readonly wasSuspended: boolean;
  readonly exists: (scheduledMs: number) => boolean;
  /** Whether the maximum number of runs is active. */
  readonly isFull: boolean;
}

/** All times up to `untilMs` count as handled, without a run. */
export interface Move {
  readonly untilMs: number;
  readonly reason: 'Suspended' | 'ClockSetBack' | 'ScheduleChanged';
}

export type TimeStep =
  /** All times up to `untilMs` are handled without a run; `missed`: how many of them are missed. */
  | {
      readonly kind: 'handle';
      readonly untilMs: number;
      readonly missed: number;
      readonly reason: MissedReason | 'Exists';
    }
  /** Record the intent. */
  | { readonly kind: 'plan'; readonly due: Due }
  /** Create the run of the recorded intent. */
  | { readonly kind: 'create'; readonly scheduledMs: number }
  /**
   * Give up the recorded intent, unless its run exists: its creation failed until the next time, until its deadline, or
   * until a suspension.
   */
  | { readonly kind: 'giveUp'; readonly scheduledMs: number; readonly reason: GivenUpReason };

/** The change of the handled times that is needed before the next step; null: none. */
export function moveOf(facts: TimesFacts): Move | null {
  const { wanted, observed, isSuspended, wasSuspended } = facts;
  const { handledUntil } = facts.runs;
  const { nowMs } = facts.input;
  if (wanted === null) return null;
  if (wasSuspended && !isSuspended) return { untilMs: nowMs, reason: 'Suspended' };
  if (observed !== wanted) return { untilMs: nowMs, reason: 'ScheduleChanged' };
  // A scheduled time may have passed between the change of the clock and this reconcile.
  const isAhead = handledUntil !== undefined && Date.parse(handledUntil) > nowMs;
  return isAhead ? { untilMs: nowMs - LOOK_AGAIN_MS, reason: 'ClockSetBack' } : null;
}

/** null: nothing is due, or the due time waits. */
export function decideTimes(facts: TimesFacts): TimeStep | null {
  const { pending } = facts.runs;
  if (facts.wanted === null) return null;
  return pending === undefined
    ? decideDue(facts)
    : decidePending(facts, Date.parse(pending.scheduledTime));
}

function decidePending({ isSuspended, input }: TimesFacts, scheduledMs: number): TimeStep {
  if (isSuspended) return { kind: 'giveUp', scheduledMs, reason: 'Suspended' };
  const due = dueNow({ ...input, handledMs: scheduledMs - 1 });
  if (due !== null && due.scheduledMs > scheduledMs) {
    return { kind: 'giveUp', scheduledMs, reason: 'Superseded' };
  }
  if (due?.isTooLate === true) return { kind: 'giveUp', scheduledMs, reason: 'NotCreated' };
  return { kind: 'create', scheduledMs };
}

function decideDue({ isSuspended, input, exists, isFull }: TimesFacts): TimeStep | null {
  const due = isSuspended ? null : dueNow(input);
  if (due === null) return null;
  const { scheduledMs, missedBefore, isTooLate } = due;
  if (missedBefore > 0) {
    return { kind: 'handle', untilMs: scheduledMs - 1, missed: missedBefore, reason: 'Superseded' };
  }
  const handled = { kind: 'handle', untilMs: scheduledMs } as const;
  if (exists(scheduledMs)) return { ...handled, missed: 0, reason: 'Exists' };
  if (isTooLate) return { ...handled, missed: 1, reason: 'TooLate' };
  return isFull ? null : { kind: 'plan', due };
}
