/**
 * Which thaws are overdue: those that have failed so far, and those that are not done within their own time, counted
 * from the release, whatever could be recorded of them. Pure.
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

/** Milliseconds; null: nothing waits for a thaw. */
export function untilOverdueMs(
  { release, resolved, containerExecutionHookStatuses: targets = [] }: ExecutionHookStatus,
  nowMs: number,
): number | null {
  if (release === undefined || resolved === undefined || !hasThaw(resolved)) return null;
  if (!targets.some(isAwaited)) return null;
  const [releasedMs = nowMs] = timeOf(release.at);
  return Math.min(releasedMs, nowMs) + thawSeconds(resolved) * 1_000 - nowMs;
}

/** A thaw is still expected: of what is unproven nothing is. */
function isAwaited(target: ContainerStatus): boolean {
  return isHeld(target) && !isUnproven(target);
}
