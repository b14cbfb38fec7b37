import type { Step } from './plan.ts';

/**
 * The timeout of one attempt, milliseconds: that of the hook, limited for a main step by the run's deadline. It is not
 * limited for a cleanup step, since a frozen target must be thawed, however late. null: none.
 *
 * Worked example, timeoutSeconds 30, 12 s left until the deadline: main 12 s, cleanup 30 s.
 * Worked example, timeoutSeconds null, no deadline: null.
 */
export function attemptTimeoutMs(
  step: Step,
  at: { deadlineAtMs: number | null; nowMs: number },
): number | null {
  const { timeoutSeconds } = step.policy;
  const ownMs = timeoutSeconds === null ? null : timeoutSeconds * 1_000;
  if (step.kind === 'cleanup' || at.deadlineAtMs === null) return ownMs;
  const restMs = Math.max(0, at.deadlineAtMs - at.nowMs);
  return ownMs === null ? restMs : Math.min(ownMs, restMs);
}
