/** Predicates over the status of one target; every decision about hooks is derived from them. Pure. */
import type {
  ActionStatus,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
  ResolvedActions,
} from '../kinds.ts';

/**
 * Identifies a target by namespace, pod name and container name, since commands address a container by these alone. The
 * thaw of a deleted pod may still be running when another pod gets its name.
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

/** Whether the freeze succeeded; undefined: it is undecided. */
export function preOutcome({ preActionStatus }: ContainerStatus): boolean | undefined {
  return preActionStatus?.actionSucceed;
}

/** Whether the thaw succeeded in time; undefined: it is undecided. */
export function postOutcome({ postActionStatus }: ContainerStatus): boolean | undefined {
  return postActionStatus?.actionSucceed;
}

/** The last error of an action; '': none. */
export function errorOf(status: ActionStatus | undefined): string {
  return status?.error?.message ?? '';
}

/** Whether a freeze may have been sent to the target, so that the target must be thawed (SNAP-G9, SNAP-G11). */
export function isIssued({ preActionStatus }: ContainerStatus): boolean {
  return preActionStatus?.actionTimestamp !== undefined;
}

export function isOpen(action: ActionStatus | undefined): boolean {
  const last = action?.attempts?.at(-1);
  return last !== undefined && last.outcome === undefined;
}

/** Whether a thaw would have anything to do (SNAP-R19). */
export function hasThaw({ preAction, postAction }: ResolvedActions): boolean {
  return postAction !== undefined || preAction.session !== undefined;
}

/**
 * Whether this hook may have frozen the target. Lists, metrics, the registry of holds and all thaws use this one rule
 * (SNAP-I9).
 */
export function isHeld(target: ContainerStatus): boolean {
  return isIssued(target) && !isThawed(target);
}

/** Whether a thaw succeeded, the freeze ended by itself, or there was nothing to undo. */
export function isThawed({ thawedBy, postActionStatus }: ContainerStatus): boolean {
  return thawedBy !== undefined || postActionStatus?.actionSucceed === true;
}

/**
 * Whether the target's thaw has failed so far: then a user must look at it, and nothing more may be frozen on its node.
 */
export function isOverdue(target: ContainerStatus): boolean {
  const hasFailed = target.postActionStatus?.actionSucceed === false && !isThawed(target);
  return hasFailed && !isUnproven(target);
}

/** Whether the container has ended for good but its lock may still be in force: its volume must not be frozen again. */
export function isUnproven(target: ContainerStatus): boolean {
  return target.thawUnproven !== undefined && !isThawed(target);
}

/** Whether an attempt may thaw the target. If its container has ended for good, only a rescue pod can. */
export function canBeThawed(target: ContainerStatus): boolean {
  return isHeld(target) && (!isUnproven(target) || target.rescue !== undefined);
}

/** Whether the freeze stays in force after its container has ended, until a thaw. */
export function outlivesContainer({ lockScope }: ResolvedActions): boolean {
  return lockScope === 'Kernel';
}

/** Whether targets and actions are fixed (SNAP-I10). */
export function isBegun({ status }: { readonly status?: ExecutionHookStatus }): boolean {
  return status?.resolved !== undefined && status.containerExecutionHookStatuses !== undefined;
}

/** Whether the hook was refused before it began, so that nothing ran and nothing ever will. */
export function isRefused({ status }: { readonly status?: ExecutionHookStatus }): boolean {
  return status?.preActionSucceed === false && status.containerExecutionHookStatuses === undefined;
}

/** Whether everything that was started is undone: our finalizer can be removed (SNAP-I8). */
export function isSettled({ status }: { readonly status?: ExecutionHookStatus }): boolean {
  if (status?.release === undefined || status.preActionSucceed === undefined) return false;
  const targets = status.containerExecutionHookStatuses ?? [];
  return targets.every((target) => !isHeld(target) && !isOpen(target.preActionStatus));
}

/**
 * Time at which the first freeze was recorded, in milliseconds of the wall clock; null: none was (SNAP-R22, SNAP-G12).
 */
export function frozenSinceMs(targets: readonly ContainerStatus[]): number | null {
  const times = targets.flatMap(({ preActionStatus }) => timeOf(preActionStatus?.actionTimestamp));
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * Milliseconds since the epoch of an RFC 3339 time, or of a number of seconds since the epoch (SNAP-G7); empty: it is
 * neither.
 */
export function timeOf(text: string | number | undefined): number[] {
  if (text === undefined) return [];
  const seconds = typeof text === 'number' || /^\d+$/.test(text) ? Number(text) : null;
  const ms = seconds === null ? Date.parse(String(text)) : seconds * 1_000;
  return Number.isNaN(ms) ? [] : [ms];
}
