/**
 * Handles a hook with the annotation BEGUN whose status no longer shows that it has begun. Nothing is frozen again: the
 * hook has failed, and its postAction runs on every target that it selects.
 */
import { setCondition } from '../../../controller/conditions.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import type { ContainerStatus, ExecutionHook, ExecutionHookStatus } from '../kinds.ts';
import { BEGUN, HOOK_FINALIZER } from '../names.ts';
import { beginHook, type Refusal } from './begin-hook.ts';
import type { Driving } from './hook-state.ts';
import { isBegun, isRefused, targetsOf, timeOf } from './targets.ts';

const REASON = 'StatusLost';

export function begunAt({ metadata }: ExecutionHook): string | undefined {
  return metadata?.annotations?.[BEGUN];
}

/**
 * Whether the status of a hook that has begun was removed. `isMarked`: this process added the annotation, and has
 * stored no status of the hook yet.
 */
export function isStatusLost(hook: ExecutionHook, isMarked: boolean): boolean {
  if (begunAt(hook) === undefined || isMarked || isBegun(hook)) return false;
  return !(isRefused(hook) && failedReason(hook) === REASON);
}

export type Found =
  | { readonly kind: 'thaws'; readonly status: ExecutionHookStatus }
  /** Nothing is left to thaw, or the actions and targets of the hook cannot be determined any more. */
  | Refusal
  | { readonly kind: 'rests' };

export async function findLost(driving: Driving, hook: ExecutionHook): Promise<Found> {
  const { shared, client, pass } = driving;
  const isHeld = hook.metadata?.finalizers?.includes(HOOK_FINALIZER) === true;
  // Our finalizer is removed after the last thaw. So without it, everything is thawed.
  if (!isHeld)
    return isTerminating(hook) ? { kind: 'rests' } : refused('its thaw was completed before.');
  const { resolveRecipe, context } = shared;
  const call = { signal: pass.signal };
  const beginning = await beginHook(hook, { client, resolveRecipe, call, isForThaw: true });
  if (beginning.kind !== 'begun') return refused(`${UNKNOWN} ${beginning.message}`);
  if (targetsOf({ ...hook, status: beginning.status }).length === 0)
    return refused(`${UNKNOWN} No container that it selects is running.`);
  const nowMs = context.platform.clock.nowMs();
  return { kind: 'thaws', status: lostStatus(hook, beginning.status, nowMs) };
}

function lostStatus(
  hook: ExecutionHook,
  { resolved, containerExecutionHookStatuses: targets = [] }: ExecutionHookStatus,
  nowMs: number,
): ExecutionHookStatus {
  const [begunMs = nowMs] = timeOf(begunAt(hook));
  const observedGeneration = hook.metadata?.generation ?? 0;
  const { reason, message } = refused(
    `${UNKNOWN} The postAction runs on everything that the hook selects.`,
  );
  const failed = { type: 'Failed', status: 'True', reason, message, observedGeneration } as const;
  return {
    ...(resolved === undefined ? {} : { resolved }),
    containerExecutionHookStatuses: targets.map((target) =>
      withUnknownFreeze(target, { begunMs, nowMs }),
    ),
    conditions: [...setCondition([], failed, nowMs)],
  };
}

const REMOVED = 'The status of this hook was removed after it had begun';
const UNKNOWN = 'it is not known whether its targets are frozen.';

function refused(more: string): Refusal {
  return { kind: 'refused', reason: REASON, message: `${REMOVED}: ${more}` };
}

function withUnknownFreeze(
  target: ContainerStatus,
  { begunMs, nowMs }: { readonly begunMs: number; readonly nowMs: number },
): ContainerStatus {
  const startedAt = microTimeText(begunMs);
  const time = microTimeText(nowMs);
  const reason = 'The record of the preAction was removed from the status.';
  return {
    ...target,
    preActionStatus: {
      actionTimestamp: startedAt,
      actionSucceed: false,
      error: { time, message: reason },
      attempts: [{ startedAt, endedAt: time, outcome: 'Unknown', reason }],
    },
  };
}

function failedReason({ status }: ExecutionHook): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Failed')?.reason;
}
