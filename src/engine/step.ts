/**
 * The engine: a plan, what is recorded of it and the time give the one next thing to do, with its
 * reason. Nothing is awaited here and nothing is remembered; who calls it differs: a controller pass
 * calls it once and returns, `run.ts` loops over it.
 *
 * Invariants, cited by the tests and judged by the simulator from its own log of effects. Those
 * marked * need the caller too: it records the intent before it acts, and acts on nothing else.
 *
 *  ENG-E1* Intent before effect: an attempt's effect begins only when its AttemptStarted is durable.
 *  ENG-E2  At most one attempt of a run is open, that is recorded as started and not yet as ended.
 *  ENG-E3  The attempts of a step are numbered 1, 2, 3 without a gap; no number is used twice.
 *  ENG-E4  Main steps run in order: one starts only when every one before it succeeded or was ignored.
 *  ENG-E5  Unknown is never success. For a main step it is never made again, since its effect may have
 *      happened: the run settles Unknown, whatever else befell it, or goes on under Ignore. For a
 *      cleanup step, which has to be idempotent, it is made again, at most MAX_UNSEEN_CLEANUPS times.
 *  ENG-E6  A step fails at most limit + 1 times; under Retry, as often as fits before the run's deadline.
 *  ENG-E7  After an abort, a cancellation or the deadline no main step starts, also if the clock is set
 *      back; nor after the first cleanup attempt.
 *  ENG-E8  A run settles only after every owed cleanup step has succeeded or used up its attempts. Owed
 *      is each one without `undoes`, and each whose main step was ever issued.
 *  ENG-E9* Cancellation and the run's deadline do not reach a cleanup step.
 *  ENG-E10 The first outcome of an attempt wins; late and repeated ones change nothing.
 *  ENG-E11 A settled run stays settled.
 *  ENG-E12 Every wait ends in the future and lasts at most two pauses, however the clock was set.
 *  ENG-E13 An attempt's timeout is its hook's, for a main step cut at the run's deadline.
 *  ENG-E14 The same input gives the same decision.
 *  ENG-E15 The first cause is the run's outcome, the later ones are told after it.
 */
import type { RunOutcome, RunRecord } from '../model/attempt.ts';
import { outcomeOf } from './causes.ts';
import { judgeCleanupSteps } from './cleanup-steps.ts';
import { judgeMainSteps, type Verdict } from './main-steps.ts';
import type { Plan, Step } from './plan.ts';
import { readRecords, type RunState } from './records.ts';
import { attemptTimeoutMs } from './timeout.ts';

export type Decision =
  | {
      readonly do: 'start';
      readonly step: Step;
      readonly attempt: number;
      /** Counted from the decision; null: no deadline. */
      readonly timeoutMs: number | null;
      readonly reason: string;
    }
  /** null: until something is recorded. */
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
