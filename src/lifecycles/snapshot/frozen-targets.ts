import { isHeld, isOverdue, isUnproven } from './hook/targets.ts';
import type { ExecutionHook } from './kinds.ts';

/** A container that a hook has begun to freeze, and that may still be frozen. */
export interface FrozenTarget {
  readonly namespace: string;
  readonly hook: string;
  readonly pod: string;
  readonly container: string;
  /** When the first preAction was recorded. */
  readonly since: string;
  /** Its thaw has failed so far. */
  readonly overdue: boolean;
  /** Its container ended before its thaw was proven, and its lock does not end with it. */
  readonly unproven: boolean;
}

/** What a hook holds at this moment, by its status alone: true after any restart. Pure. */
export function frozenTargets({ metadata = {}, status = {} }: ExecutionHook): FrozenTarget[] {
  const { namespace = '', name = '' } = metadata;
  return (status.containerExecutionHookStatuses ?? []).filter(isHeld).map((target) => ({
    namespace,
    hook: name,
    pod: target.podName,
    container: target.containerName,
    since: target.preActionStatus?.actionTimestamp ?? '',
    overdue: isOverdue(target),
    unproven: isUnproven(target),
  }));
}
