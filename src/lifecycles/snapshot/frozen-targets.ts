import type { ContainerStatus, ExecutionHook } from './kinds.ts';

/** A container that a hook has begun to freeze, and not thawed yet. */
export interface FrozenTarget {
  readonly namespace: string;
  readonly hook: string;
  readonly pod: string;
  readonly container: string;
  /** When the first preAction was recorded. */
  readonly since: string;
  /** Its thaw has failed so far. */
  readonly overdue: boolean;
}

/** What a hook holds at this moment, by its status alone: true after any restart. Pure. */
export function frozenTargets({ metadata = {}, status = {} }: ExecutionHook): FrozenTarget[] {
  const { namespace = '', name = '' } = metadata;
  return (status.containerExecutionHookStatuses ?? []).filter(isFrozen).map((target) => ({
    namespace,
    hook: name,
    pod: target.podName,
    container: target.containerName,
    since: target.preActionStatus?.actionTimestamp ?? '',
    overdue: target.postActionStatus?.actionSucceed === false,
  }));
}

function isFrozen({ preActionStatus, thawedBy }: ContainerStatus): boolean {
  return preActionStatus?.actionTimestamp !== undefined && thawedBy === undefined;
}
