import { isHeld, isOverdue, isUnproven } from './hook/targets.ts';
import type { ExecutionHook } from './kinds.ts';

/** A container for which a freeze has started, and that may still be frozen. */
export interface FrozenTarget {
  readonly namespace: string;
  readonly hook: string;
  readonly pod: string;
  readonly container: string;
  /** Time of the first preAction. */
  readonly since: string;
  /** Whether its thaw has failed so far. */
  readonly overdue: boolean;
  /** Whether its container ended before a thaw was proven, although its lock does not end with it. */
  readonly unproven: boolean;
}

/**
 * The targets that a hook may have frozen, derived from its status alone, so that they are correct after any restart.
 * Pure.
 */
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
