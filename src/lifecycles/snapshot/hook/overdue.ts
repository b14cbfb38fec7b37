/**
 * Selects the overdue thaws: those that have failed so far, and those that are not done within their time. The time
 * counts from the release, even if no attempt of the thaw could be recorded. Pure.
 */
import type { ContainerStatus, ExecutionHookStatus } from '../kinds.ts';
import { thawSeconds } from './plan.ts';
import { hasThaw, isHeld, isOverdue, isUnproven, timeOf } from './targets.ts';

export function overdueTargets(
  status: ExecutionHookStatus,
  nowMs: number,
): readonly ContainerStatus[] {
  const { containerExecutionHookStatuses: targets = [] } = status;
  const lateInMs = untilOverdueMs(status, nowMs);
  const isLate = lateInMs !== null && lateInMs <= 0;
  return targets.filter((target) => isOverdue(target) || (isLate && isAwaited(target)));
}

/** Milliseconds until the thaws are overdue, negative after that; null: no thaw is awaited. */
export function untilOverdueMs(
  { release, resolved, containerExecutionHookStatuses: targets = [] }: ExecutionHookStatus,
  nowMs: number,
): number | null {
  if (release === undefined || resolved === undefined || !hasThaw(resolved)) return null;
  if (!targets.some(isAwaited)) return null;
  const [releasedMs = nowMs] = timeOf(release.at);
  return Math.min(releasedMs, nowMs) + thawSeconds(resolved) * 1_000 - nowMs;
}

/** Whether a thaw is still expected. No thaw is expected for a target whose thaw is not proven. */
function isAwaited(target: ContainerStatus): boolean {
  return isHeld(target) && !isUnproven(target);
}
