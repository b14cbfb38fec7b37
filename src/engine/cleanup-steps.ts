/**
 * The cleanup half of a run: finds the next owed cleanup step, or reports that none is left. Pure. Neither cancellation
 * nor the run's deadline stops cleanup (ENG-E8, ENG-E9). Cleanup steps run in order (ENG-E16).
 */
import { type Cause, causeOf, deadlinePassed } from './causes.ts';
import type { Judged, Verdict } from './main-steps.ts';
import type { Plan, Step } from './plan.ts';
import type { EndedAttempt, RunState } from './records.ts';
import { dueAtMs, mayRepeat, pauseMs } from './retry.ts';

/**
 * Maximum number of retries of one cleanup step after attempts whose end was not observed. They do not count against
 * the hook's own limit, since such an attempt is not a failure of the hook. But a hook that kills its supervisor must
 * not be started for ever.
 */
export const MAX_UNSEEN_CLEANUPS = 10;

export function judgeCleanupSteps(plan: Plan, state: RunState, nowMs: number): Verdict {
  const causes: Cause[] = [];
  for (const step of plan.steps) {
    if (!isOwed(step, state)) continue;
    const verdict = judgeStep({ step, at: state.step(step.name), state, nowMs });
    if (verdict.kind !== 'over') return verdict;
    causes.push(...verdict.causes);
  }
  return { kind: 'over', causes };
}

/**
 * True: the cleanup step must run. A step that undoes another step must run once that other step was started, whatever
 * its outcome.
 */
function isOwed(step: Step, state: RunState): boolean {
  if (step.kind !== 'cleanup') return false;
  return step.undoes === undefined || state.step(step.undoes).attempts > 0;
}

function judgeStep({ step, at, state, nowMs }: Judged): Verdict {
  const { last } = at;
  if (last === null)
    return { kind: 'start', step, attempt: 1, reason: 'the main steps have ended' };
  if (last.result.outcome === 'Succeeded') return { kind: 'over', causes: [] };
  const { cause, repeat } = weigh({ step, at, state, nowMs }, last);
  if (!repeat) {
    return { kind: 'over', causes: step.policy.failurePolicy === 'Ignore' ? [] : [cause] };
  }
  // No pause after an attempt whose end was not observed: a target that is still frozen must be thawed at once.
  const pause = cause.outcome === 'Unknown' ? 0 : pauseMs(step.policy, at.failures);
  const untilMs = dueAtMs({ endedAtMs: last.atMs, nowMs, pauseMs: pause });
  if (untilMs > nowMs) return { kind: 'wait', untilMs, reason: `pause, because ${cause.reason}` };
  return {
    kind: 'start',
    step,
    attempt: at.attempts + 1,
    reason: `again, because ${cause.reason}`,
  };
}

function weigh(
  { step, at, state, nowMs }: Judged,
  last: EndedAttempt,
): { cause: Cause; repeat: boolean } {
  if (last.result.outcome === 'Unknown') {
    return { cause: causeOf(step, last, 'Unknown'), repeat: at.unseen <= MAX_UNSEEN_CLEANUPS };
  }
  const outcome = last.result.outcome === 'TimedOut' ? 'TimedOut' : 'Failed';
  // The policy Retry repeats a step only until the deadline. After the deadline a cleanup step still has its retry
  // limit.
  const repeat = deadlinePassed(state, nowMs)
    ? at.failures <= step.policy.retry.limit
    : mayRepeat(step.policy, at.failures);
  return { cause: causeOf(step, last, outcome), repeat };
}
