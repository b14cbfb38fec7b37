/**
 * The engine: decides the next action of a run, with its reason, from its plan, its records and the time. It neither
 * waits nor stores anything. A controller calls it once per reconcile and returns; `run.ts` calls it in a loop.
 *
 * Invariants, cited by the tests and judged by the simulator from its own log of effects. Those marked * also depend on
 * the caller: it must record the intent before it acts, and act only as decided here.
 *
 *  ENG-E1* Intent before effect: an attempt's effect begins only when its AttemptStarted is durable.
 *  ENG-E2  At most one attempt of a run is open: recorded as started and not yet as ended.
 *  ENG-E3  The attempts of a step are numbered 1, 2, 3 without a gap; no number is used twice.
 *  ENG-E4  Main steps run in order: one starts only when every one before it succeeded or was ignored.
 *  ENG-E5  Unknown is never success. A main step whose outcome is Unknown is never retried, since its effect may
 *      have happened. The run settles Unknown, whatever else happened, or continues under Ignore. A cleanup step, which
 *      must be idempotent, is retried, at most MAX_UNSEEN_CLEANUPS times.
 *  ENG-E6  A step fails at most limit + 1 times; under Retry, as often as fits before the run's deadline.
 *  ENG-E7  After an abort, a cancellation or the deadline no main step starts, even if the clock is set back; nor after
 *      the first cleanup attempt.
 *  ENG-E8  A run settles only after every owed cleanup step has succeeded or used up its attempts. A cleanup step is
 *      owed if it has no `undoes`, or if the main step that it undoes was ever started.
 *  ENG-E9* Cancellation and the run's deadline do not reach a cleanup step.
 *  ENG-E10 The first outcome of an attempt wins; late and repeated ones change nothing.
 *  ENG-E11 A settled run stays settled.
 *  ENG-E12 Every wait ends in the future and lasts at most two pauses, however the clock was set.
 *  ENG-E13 An attempt's timeout is that of its hook; for a main step it ends at the run's deadline at the latest.
 *  ENG-E14 The same input gives the same decision.
 *  ENG-E15 The first cause is the run's outcome; the reason also names the later ones.
 */
import type { RunOutcome, RunRecord } from '../model/attempt.ts';
import { outcomeOf } from './causes.ts';
import { judgeCleanupSteps } from './cleanup-steps.ts';
import { judgeMainSteps, type Verdict } from './main-steps.ts';
import type { Plan, Step } from './plan.ts';
import { readRecords, type RunState } from './records.ts';
import { attemptTimeoutMs } from './retry.ts';

export type Decision =
  | {
      readonly do: 'start';
      readonly step: Step;
      readonly attempt: number;
      /** Timeout of the attempt, milliseconds from the decision; null: no deadline. */
      readonly timeoutMs: number | null;
      readonly reason: string;
    }
  /** `untilMs` null: wait until the next record. */
  | { readonly do: 'wait'; readonly untilMs: number | null; readonly reason: string }
  | { readonly do: 'settle'; readonly outcome: RunOutcome; readonly reason: string };

export interface StepInput {
  readonly plan: Plan;
  readonly records: readonly RunRecord[];
  readonly nowMs: number;
}

export function step({ plan, records, nowMs }: StepInput): Decision {
  const state = readRecords(plan, records);
  if (state.settled !== null) return { do: 'settle', ...state.settled };
  const [open] = state.open;
  if (open !== undefined) {
    const reason = `attempt ${open.attempt} of ${open.step} has not ended`;
    return { do: 'wait', untilMs: null, reason };
  }
  const main = judgeMainSteps(plan, state, nowMs);
  if (main.kind !== 'over') return decide(main, state, nowMs);
  const cleanup = judgeCleanupSteps(plan, state, nowMs);
  if (cleanup.kind !== 'over') return decide(cleanup, state, nowMs);
  return { do: 'settle', ...outcomeOf([...main.causes, ...cleanup.causes]) };
}

function decide(
  verdict: Exclude<Verdict, { kind: 'over' }>,
  { deadlineAtMs }: RunState,
  nowMs: number,
): Decision {
  if (verdict.kind === 'wait') {
    return { do: 'wait', untilMs: verdict.untilMs, reason: verdict.reason };
  }
  const { step: next, attempt, reason } = verdict;
  const timeoutMs = attemptTimeoutMs(next, { deadlineAtMs, nowMs });
  return { do: 'start', step: next, attempt, timeoutMs, reason };
}
