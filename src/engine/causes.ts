import type { RunOutcome } from '../model/attempt.ts';
import type { Step } from './plan.ts';
import type { EndedAttempt, RunState } from './records.ts';

/** One thing that kept a run from succeeding. */
export interface Cause {
  readonly outcome: Exclude<RunOutcome, 'Succeeded'>;
  /** One sentence without its full stop. */
  readonly reason: string;
  /** Its place in the records; a deadline that only the clock knows of comes after all of them. */
  readonly index: number;
}

/** What ends the main steps from outside, the earlier one first. */
export function stopsOf(state: RunState, nowMs: number): Cause[] {
  const stops: Cause[] = [];
  const { deadlineAtMs, deadlineIndex, cancelled } = state;
  if (deadlinePassed(state, nowMs)) {
    const at = deadlineAtMs === null ? '' : ` (${new Date(deadlineAtMs).toISOString()})`;
    const index = deadlineIndex ?? Number.MAX_SAFE_INTEGER;
    stops.push({ outcome: 'TimedOut', reason: `the run's deadline${at} has passed`, index });
  }
  if (cancelled !== null) {
    const reason = `the run was cancelled: ${cancelled.reason}`;
    stops.push({ outcome: 'Cancelled', reason, index: cancelled.index });
  }
  return firstToLast(stops);
}

/** How an attempt ended, as a cause. */
export function causeOf(step: Step, last: EndedAttempt, outcome: Cause['outcome']): Cause {
  const ended = endings[outcome];
  const detail = last.result.reason.replace(/\.$/, '');
  const reason = `attempt ${last.attempt} of ${step.name} ${ended}: ${detail}`;
  return { outcome, reason, index: last.index };
}

const endings = {
  Failed: 'failed',
  TimedOut: 'timed out',
  Cancelled: 'was cancelled',
  Unknown: 'ended unseen',
};

/** A record at or after the deadline decides for good: a clock that is set back does not revive it. */
export function deadlinePassed({ deadlineAtMs, deadlineIndex }: RunState, nowMs: number): boolean {
  return deadlineIndex !== null || (deadlineAtMs !== null && nowMs >= deadlineAtMs);
}

/** Of two with one place, the one that is named first came first. */
export function firstToLast(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => a.index - b.index);
}

/** The first cause is the run's outcome; the later ones are told after it. */
export function outcomeOf(causes: readonly Cause[]): { outcome: RunOutcome; reason: string } {
  const [first] = causes;
  if (first === undefined) return { outcome: 'Succeeded', reason: 'Every step ended well.' };
  const reason = causes.map((cause) => cause.reason).join('; then ');
  return { outcome: first.outcome, reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` };
}
