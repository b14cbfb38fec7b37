/** What a target's status says of it; everything that is decided of hooks is derived from these. Pure. */
import type {
  ActionStatus,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
  ResolvedActions,
} from '../kinds.ts';

/**
 * What a freeze is held on: the place that commands reach, which is known by names alone. The thaw of a pod
 * that is gone may still be on its way when another has come under its name.
 */
export function targetId(
  namespace: string,
  { podName, containerName }: Pick<ContainerStatus, 'podName' | 'containerName'>,
): string {
  return `${namespace}/${podName}/${containerName}`;
}

export function targetsOf({ status }: ExecutionHook): readonly ContainerStatus[] {
  return status?.containerExecutionHookStatuses ?? [];
}

export function uidOf({ metadata }: ExecutionHook): string {
  return metadata?.uid ?? '';
}

/** Whether it is frozen well; undefined: that is not decided. */
export function preOutcome({ preActionStatus }: ContainerStatus): boolean | undefined {
  return preActionStatus?.actionSucceed;
}

/** Whether it was thawed in time; undefined: that is not decided. */
export function postOutcome({ postActionStatus }: ContainerStatus): boolean | undefined {
  return postActionStatus?.actionSucceed;
}

/** The last error of an action, '' for none. */
export function errorOf(status: ActionStatus | undefined): string {
  return status?.error?.message ?? '';
}

/** Something may have been sent to it: from then on it is to be thawed (SNAP-G9, SNAP-G11). */
export function isIssued({ preActionStatus }: ContainerStatus): boolean {
  return preActionStatus?.actionTimestamp !== undefined;
}

export function isOpen(action: ActionStatus | undefined): boolean {
  const last = action?.attempts?.at(-1);
  return last !== undefined && last.outcome === undefined;
}

/** Whether there is anything that the thaw would have to do (SNAP-R19). */
export function hasThaw({ preAction, postAction }: ResolvedActions): boolean {
  return postAction !== undefined || preAction.session !== undefined;
}

/** It may be frozen by this hook: the one rule for lists, metrics, the registry of holds and every thaw (SNAP-I9). */
export function isHeld(target: ContainerStatus): boolean {
  return isIssued(target) && !isThawed(target);
}

/** By a thaw, by its own end, or because there was nothing to undo. */
export function isThawed({ thawedBy, postActionStatus }: ContainerStatus): boolean {
  return thawedBy !== undefined || postActionStatus?.actionSucceed === true;
}

/** Its thaw has failed so far: somebody has to look at it, and its node is not to be frozen on. */
export function isOverdue(target: ContainerStatus): boolean {
  const hasFailed = target.postActionStatus?.actionSucceed === false && !isThawed(target);
  return hasFailed && !isUnproven(target);
}

/** Its container is deleted, and its lock is not known to be: its volume is not to be frozen again. */
export function isUnproven(target: ContainerStatus): boolean {
  return target.thawUnproven !== undefined && !isThawed(target);
}

/** An attempt may thaw it: where its container has ended for good, only a rescue pod can. */
export function canBeThawed(target: ContainerStatus): boolean {
  return isHeld(target) && (!isUnproven(target) || target.rescue !== undefined);
}

/** The freeze is there still when its container has ended: only a thaw ends it. */
export function outlivesContainer({ lockScope }: ResolvedActions): boolean {
  return lockScope === 'Kernel';
}

/** Its targets and actions are fixed (SNAP-I10). */
export function isBegun({ status }: { readonly status?: ExecutionHookStatus }): boolean {
  return status?.resolved !== undefined && status.containerExecutionHookStatuses !== undefined;
}

/** It was refused before it began: nothing ran, and nothing ever will. */
export function isRefused({ status }: { readonly status?: ExecutionHookStatus }): boolean {
  return status?.preActionSucceed === false && status.containerExecutionHookStatuses === undefined;
}

/** Everything is undone that was ever begun: nothing holds the hook any more (SNAP-I8). */
export function isSettled({ status }: { readonly status?: ExecutionHookStatus }): boolean {
  if (status?.release === undefined || status.preActionSucceed === undefined) return false;
  const targets = status.containerExecutionHookStatuses ?? [];
  return targets.every((target) => !isHeld(target) && !isOpen(target.preActionStatus));
}

/** When the first freeze was recorded, wall-clock milliseconds; null: nothing was begun (SNAP-R22, SNAP-G12). */
export function frozenSinceMs(targets: readonly ContainerStatus[]): number | null {
  const times = targets.flatMap(({ preActionStatus }) => timeOf(preActionStatus?.actionTimestamp));
  return times.length === 0 ? null : Math.min(...times);
}

/** RFC 3339, or seconds since the epoch (SNAP-G7). */
export function timeOf(text: string | number | undefined): number[] {
  if (text === undefined) return [];
  const seconds = typeof text === 'number' || /^\d+$/.test(text) ? Number(text) : null;
  const ms = seconds === null ? Date.parse(String(text)) : seconds * 1_000;
  return Number.isNaN(ms) ? [] : [ms];
}
