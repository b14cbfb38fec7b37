/** Adds our finalizer and the annotation BEGUN to a hook. Removes both from a hook that has frozen nothing. */
import {
  addFinalizer,
  finalizerStep,
  isTerminating,
  removeFinalizer,
} from '../../../controller/finalizers.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import { type ApiError, isReason, type UnreachableError } from '../../../kube/api-error.ts';
import { type ExecutionHook, executionHooks } from '../kinds.ts';
import { BEGUN, HOOK_FINALIZER } from '../names.ts';
import type { Driving } from './hook-state.ts';
import { begunAt } from './lost-status.ts';
import { ANSWER_MS, isRefusal, isUnanswered } from './record-status.ts';
import { isHeld, targetsOf, uidOf } from './targets.ts';

export interface Held {
  readonly stored: ExecutionHook;
  /** The error of a write that the server refused or did not answer; null: the server accepted it. */
  readonly refusal: ApiError | UnreachableError | null;
}

/** For a hook that may be frozen: if the server refuses this write, or does not answer, the thaw must still run. */
export async function holdOn(driving: Driving, object: ExecutionHook): Promise<Held> {
  const call = targetsOf(object).some(isHeld) ? { timeoutMs: ANSWER_MS } : {};
  try {
    return { stored: await hold(driving, object, call), refusal: null };
  } catch (error) {
    if (!isRefusal(error) && !isUnanswered(error)) throw error;
    return { stored: object, refusal: error };
  }
}

/** Sets the finalizer and the annotation BEGUN, before the first record of a new hook. */
export async function mark(driving: Driving, hook: ExecutionHook): Promise<ExecutionHook> {
  const { kept } = driving.shared;
  const uid = uidOf(hook);
  const wasMarked = kept.isMarked(uid);
  // Mark the hook in memory before the write, since the answer to the write may be lost.
  kept.mark(uid);
  try {
    return await hold(driving, hook);
  } catch (error) {
    if (!wasMarked && isReason(error, 'Conflict')) kept.unmark(uid);
    throw error;
  }
}

/**
 * Removes the finalizer and the annotation BEGUN from a hook that has recorded no freeze and is refused, or waits
 * again. Otherwise the next leader would find the annotation without a record, and conclude that the record was lost.
 * null: the hook is deleted.
 */
export async function unmark(
  { shared, client, pass }: Driving,
  object: ExecutionHook,
): Promise<ExecutionHook | null> {
  const { signal } = pass;
  const of = { resource: executionHooks, finalizer: HOOK_FINALIZER, annotations: [BEGUN] };
  const left = await removeFinalizer({ client, object, signal, ...of });
  shared.kept.unmark(uidOf(object));
  if (left !== null) shared.own.remember(left);
  return left;
}

/**
 * Adds the finalizer and the annotation with the start time. If a user has removed them, adds them again. Kubernetes
 * accepts no new finalizer on a terminating object (SNAP-I8).
 */
async function hold(
  driving: Driving,
  object: ExecutionHook,
  call: { readonly timeoutMs?: number } = {},
): Promise<ExecutionHook> {
  const isMarked = begunAt(object) !== undefined || isTerminating(object);
  if (finalizerStep(object, HOOK_FINALIZER) !== 'add' && isMarked) return object;
  const { shared, client, pass } = driving;
  const { signal } = pass;
  const finalizer = HOOK_FINALIZER;
  const annotations = { [BEGUN]: microTimeText(shared.context.platform.clock.nowMs()) };
  const written = { resource: executionHooks, object, finalizer, annotations };
  const write = { ...call, client, signal, ...written };
  const held = await addFinalizer(write);
  shared.own.remember(held);
  return held;
}
