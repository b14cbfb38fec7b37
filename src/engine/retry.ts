/** The times of an attempt: when it starts after a failure, and when it must end. Pure arithmetic. */
import type { HookPolicy } from '../model/hook.ts';
import type { Step } from './plan.ts';

/** Maximum pause between two attempts, milliseconds. */
export const MAX_PAUSE_MS = 300_000;

/**
 * Minimum first pause under the policy Retry, milliseconds. Its attempts are limited only by time, so without a pause
 * they would fill the journal until the deadline.
 */
export const MIN_PERSISTENT_PAUSE_MS = 1_000;

/** 2^30 times a first pause of 1 ms is longer than MAX_PAUSE_MS: more doublings change nothing. */
const MAX_DOUBLINGS = 30;

/**
 * Whether the hook's policy allows another attempt. Limit 2 means three attempts, so no attempt follows the third
 * failure. The policy Retry has no limit; the caller stops at the run's deadline.
 */
export function mayRepeat(policy: HookPolicy, failures: number): boolean {
  return policy.failurePolicy === 'Retry' || failures <= policy.retry.limit;
}

/**
 * The pause after a step's nth definite failure, milliseconds: first pause x 2^(n - 1), at most `maxBackoffSeconds` and
 * MAX_PAUSE_MS.
 *
 * Worked example, backoffSeconds 10: 10 s, 20 s, 40 s, 80 s, 160 s, then 300 s each time.
 * Worked example, backoffSeconds 0: no pause; under Retry 1 s, 2 s, 4 s.
 * Worked example, backoffSeconds 0.5, maxBackoffSeconds 3: 0.5 s, 1 s, 2 s, then 3 s each time.
 */
export function pauseMs(policy: HookPolicy, failures: number): number {
  const floorMs = policy.failurePolicy === 'Retry' ? MIN_PERSISTENT_PAUSE_MS : 0;
  const firstMs = Math.max(policy.retry.backoffSeconds * 1_000, floorMs);
  const { maxBackoffSeconds = MAX_PAUSE_MS / 1_000 } = policy.retry;
  const longestMs = Math.max(floorMs, Math.min(MAX_PAUSE_MS, maxBackoffSeconds * 1_000));
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS));
}

/**
 * The time of the next attempt, wall-clock milliseconds: one pause after the end of the last attempt. If the wall clock
 * was set back, that end can be in the future. If it is further in the future than one pause, the time already waited
 * is unknown, and the pause counts as over. So a wait never exceeds two pauses, however far the clock was set back.
 *
 * Worked example, pause 10 s, last attempt ended at 12:00:00:
 *   now 12:00:03 -> due 12:00:10;  now 12:00:15 -> due 12:00:10, that is at once;
 *   now 11:59:55 (set back 5 s) -> due 12:00:10, in 15 s;  now 11:00:00 -> due 11:00:00, at once.
 */
export function dueAtMs(at: { endedAtMs: number; nowMs: number; pauseMs: number }): number {
  const aheadMs = at.endedAtMs - at.nowMs;
  return aheadMs > at.pauseMs ? at.nowMs : at.endedAtMs + at.pauseMs;
}

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
