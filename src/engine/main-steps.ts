/**
 * The main half of a run: finds the next main step, or the causes why no main step follows. Pure. The invariants are at
 * the head of `step.ts`.
 */
import { type Cause, causeOf, firstToLast, stopsOf } from './causes.ts';
import type { Plan, Step } from './plan.ts';
import type { EndedAttempt, RunState, StepState } from './records.ts';
import { dueAtMs, mayRepeat, pauseMs } from './retry.ts';

export type Verdict =
  | {
      readonly kind: 'start';
      readonly step: Step;
      readonly attempt: number;
      readonly reason: string;
    }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  /** No causes: all steps succeeded or were ignored. */
  | { readonly kind: 'over'; readonly causes: readonly Cause[] };

/** The input for judging one step. */
export interface Judged {
  readonly step: Step;
  readonly at: StepState;
  readonly state: RunState;
  readonly nowMs: number;
}

export function judgeMainSteps(plan: Plan, state: RunState, nowMs: number): Verdict {
  const { mainOver } = state;
  if (mainOver === null) return judgeFrontier(plan, state, nowMs);
  // Cleanup has begun (ENG-E7). The decision that started it is repeated: at that time, from the records up to then.
  const verdict = judgeFrontier(plan, asOf(state, mainOver.index), mainOver.atMs);
  if (verdict.kind === 'over') return verdict;
  // Only the deadline can have ended the main steps: every other reason would be in the records.
  const reason = "the run's deadline left no time for the next main step";
  return { kind: 'over', causes: [{ outcome: 'TimedOut', reason, index: mainOver.index }] };
}

function asOf(state: RunState, index: number): RunState {
  const { cancelled, deadlineIndex } = state;
  return {
    ...state,
    cancelled: cancelled !== null && cancelled.index < index ? cancelled : null,
    deadlineIndex: deadlineIndex !== null && deadlineIndex <= index ? deadlineIndex : null,
  };
}

/**
 * Judges the steps from the last main step that was ever started. Its start proves that all earlier steps succeeded or
 * were ignored. A change of the clock must not repeat them (ENG-E4).
 */
function judgeFrontier(plan: Plan, state: RunState, nowMs: number): Verdict {
  const steps = plan.steps.filter(({ kind }) => kind === 'main');
  const frontier = steps.findLastIndex(({ name }) => state.step(name).attempts > 0);
  for (const step of steps.slice(Math.max(0, frontier))) {
    const verdict = judgeStep({ step, at: state.step(step.name), state, nowMs });
    if (verdict !== 'ended') return verdict;
  }
  return { kind: 'over', causes: [] };
}

function judgeStep(judged: Judged): Verdict | 'ended' {
  const { step, at, state, nowMs } = judged;
  const stops = stopsOf(state, nowMs);
  if (at.last === null) {
    if (stops.length > 0) return { kind: 'over', causes: stops };
    return { kind: 'start', step, attempt: 1, reason: 'it is the next step' };
  }
  const ignored = step.policy.failurePolicy === 'Ignore';
  const { outcome } = at.last.result;
  if (outcome === 'Succeeded') return 'ended';
  if (outcome === 'Unknown') {
    // Unknown is never retried, since its effect may have happened, and is never hidden behind another cause (ENG-E5).
    if (ignored) return 'ended';
    return { kind: 'over', causes: [causeOf(step, at.last, outcome), ...stops] };
  }
  if (outcome === 'Cancelled') {
    return { kind: 'over', causes: firstToLast([...stops, causeOf(step, at.last, outcome)]) };
  }
  return judgeFailure(judged, { ...at.last, outcome }, stops);
}

function judgeFailure(
  { step, at, state, nowMs }: Judged,
  last: EndedAttempt & { readonly outcome: 'Failed' | 'TimedOut' },
  stops: readonly Cause[],
): Verdict | 'ended' {
  const ignored = step.policy.failurePolicy === 'Ignore';
  const failure = causeOf(step, last, last.outcome);
  if (!mayRepeat(step.policy, at.failures)) {
    return ignored ? 'ended' : { kind: 'over', causes: firstToLast([...stops, failure]) };
  }
  // As long as a retry is allowed, the failure is not yet a cause. The first cause is the stop that prevents the retry.
  if (stops.length > 0) return { kind: 'over', causes: [...stops, failure] };
  const untilMs = dueAtMs({
    endedAtMs: last.atMs,
    nowMs,
    pauseMs: pauseMs(step.policy, at.failures),
  });
  if (state.deadlineAtMs !== null && untilMs >= state.deadlineAtMs) {
    if (ignored) return 'ended';
    const reason = `the run's deadline leaves no time for attempt ${at.attempts + 1} of ${step.name}`;
    return { kind: 'over', causes: [{ outcome: 'TimedOut', reason, index: last.index }, failure] };
  }
  const reason = failure.reason;
  if (untilMs > nowMs) return { kind: 'wait', untilMs, reason: `pause, because ${reason}` };
  return { kind: 'start', step, attempt: at.attempts + 1, reason: `again, because ${reason}` };
}
