/**
 * Decides what to do about the times of one cron expression: of the snapshots of a schedule, or of its rehearsals. Pure.
 *
 *  SNAP-T6 If the clock is set back, times that come again are handled again; a run that exists is not created again.
 *  SNAP-T7 A due time waits while as many runs are active as may be.
 *  SNAP-T8 Times while the schedule is suspended do not count; nor do times before a change of the cron expression.
 */
import { type Due, type DueInput, dueNow } from './due.ts';
import type { RunsStatus } from './kinds.ts';

export type MissedReason = 'TooLate' | 'Superseded' | 'NoSnapshot';

type GivenUpReason = 'Superseded' | 'NotCreated';

/** Milliseconds: a clock that is set is noticed after at most this time. */
export const LOOK_AGAIN_MS = 60_000;

export interface TimesFacts {
  readonly runs: RunsStatus;
  readonly input: DueInput;
  /** The cron expression and the time zone of the spec; null: none. */
  readonly wanted: string | null;
  /** The expression and the time zone in force when the status was last written. */
  readonly observed: string | null;
  readonly isSuspended: boolean;
  /** Whether the schedule was suspended when its status was last written. */
  readonly wasSuspended: boolean;
  readonly exists: (scheduledMs: number) => boolean;
  /** Whether no other run may start now. */
  readonly isFull: boolean;
}

/** Everything until then is handled, without a run. */
export interface Move {
  readonly untilMs: number;
  readonly reason: 'Suspended' | 'ClockSetBack' | 'ScheduleChanged';
}

export type TimeStep =
  /** Handled without a run until then; `missed`: the number of missed times. */
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
  /** The recorded intent failed until the next time, or a suspension: give it up unless its run exists. */
  | { readonly kind: 'giveUp'; readonly scheduledMs: number; readonly reason: GivenUpReason };

/** null: the times go on from where they were. */
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

/** null: nothing is due, or it waits. */
export function decideTimes(facts: TimesFacts): TimeStep | null {
  const { pending } = facts.runs;
  if (facts.wanted === null) return null;
  return pending === undefined
    ? decideDue(facts)
    : decidePending(facts, Date.parse(pending.scheduledTime));
}

function decidePending({ isSuspended, input }: TimesFacts, scheduledMs: number): TimeStep {
  if (isSuspended) return { kind: 'giveUp', scheduledMs, reason: 'NotCreated' };
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
