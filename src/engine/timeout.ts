import type { Step } from './plan.ts';

/**
 * How long one attempt may take: the hook's own timeout, for a main step cut at the run's deadline.
 * A cleanup step is not cut: what was frozen must be thawed, however late it is.
 *
 * Worked example, timeoutSeconds 30, 12 s left until the deadline: main 12 s, cleanup 30 s.
 * Worked example, timeoutSeconds null, no deadline: null, as long as it takes.
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
