import type { RunOutcome } from '../model/attempt.ts';
import type { Step } from './plan.ts';
import type { EndedAttempt, RunState } from './records.ts';

/** A reason why a run did not succeed. */
export interface Cause {
  readonly outcome: Exclude<RunOutcome, 'Succeeded'>;
  /** One sentence without the full stop. */
  readonly reason: string;
  /**
   * Index of the record of this cause. A deadline without a record has the largest safe integer, so that it sorts after
   * all records.
   */
  readonly index: number;
}

/** The deadline and the cancellation as causes, if they have ended the main steps; the earlier one first. */
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
  Unknown: 'has an unknown outcome',
};

/**
 * True: the deadline has passed, now or at the time of an earlier record. A clock that was set back since does not
 * change that.
 */
export function deadlinePassed({ deadlineAtMs, deadlineIndex }: RunState, nowMs: number): boolean {
  return deadlineIndex !== null || (deadlineAtMs !== null && nowMs >= deadlineAtMs);
}

/** Sorts causes by their index. Of two causes with the same index, the one listed first stays first. */
export function firstToLast(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => a.index - b.index);
}

/** The outcome of a run, from its causes: the first one decides, and the reason also names the later ones. */
export function outcomeOf(causes: readonly Cause[]): { outcome: RunOutcome; reason: string } {
  const [first] = causes;
  if (first === undefined)
    return { outcome: 'Succeeded', reason: 'Every step succeeded or was ignored.' };
  const reason = causes.map((cause) => cause.reason).join('; then ');
  return { outcome: first.outcome, reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` };
}
