/**
 * Runs one thaw attempt in a rescue pod: creates the pod, waits for its end, and deletes it. Never rejects.
 *
 * The rescue pod of an earlier process is reused if it runs the same thaw of the same target (SNAP-I24).
 */
import type { ContainerState, Pod } from 'kubernetes-types/core/v1.js';

import { bareResult } from '../../../engine/act.ts';
import { describeStop, reachedLimit } from '../../../handlers/limits.ts';
import { ApiError, isQuotaRefusal, isReason } from '../../../kube/api-error.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { hasEnded } from '../../../kube/pod-state.ts';
import { pods } from '../../../kube/resources.ts';
import type { AttemptResult, Outcome } from '../../../model/attempt.ts';
import { errorText } from '../../../platform/error-text.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { Order } from './decide.ts';
import { rescuePod, runsSameThaw, THAW_CONTAINER } from './rescue-pod.ts';
import type { Acted } from './run-action.ts';
import type { AttemptWorld } from './run-attempt.ts';

/** Milliseconds between two reads of the pod. */
const LOOK_MS = 500;
const DELETE_TIMEOUT_MS = 5_000;

export async function runRescue(order: Order, world: AttemptWorld): Promise<Acted> {
  const { context, namespace, hookName: name, hookUid: uid, resolved } = world;
  const { target, timeoutMs } = order;
  const limits = { timeoutMs, signal: world.signal };
  const tooLate = reachedLimit(limits);
  if (tooLate !== null) {
    const reason = `The rescue pod was not created: the thaw ${describeStop(tooLate, limits)}.`;
    return { result: bareResult(tooLate, reason, 0), notStarted: 'Unreached' };
  }
  const startedMs = context.platform.clock.monotonicMs();
  const hook = { namespace, name, uid };
  const wanted = rescuePod({ hook, target, resolved, timeoutMs });
  let pod: Pod;
  try {
    const created = await create(context.client, wanted);
    pod = created ?? (await context.client.get(pods, { namespace, name: nameOf(wanted) }));
    const unused = created === null ? await whyNotReused(pod, wanted, world) : null;
    if (unused !== null)
      return { result: bareResult('Failed', unused, 0), notStarted: 'Unreached' };
  } catch (error) {
    return notCreated(error, wanted);
  }
  const end = await waitForEnd(pod, world, startedMs + timeoutMs);
  await remove(pod, world);
  const ms = context.platform.clock.monotonicMs() - startedMs;
  return { result: resultOf(end, ms), notStarted: null };
}

/** null: a pod of that name already exists. */
async function create(client: AttemptWorld['context']['client'], wanted: Pod): Promise<Pod | null> {
  try {
    return await client.create(pods, wanted);
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return null;
    throw error;
  }
}

/**
 * The reason why the existing pod is not used; null: it is from an earlier process and runs this thaw. A pod with this
 * owner that runs something else is deleted.
 */
async function whyNotReused(pod: Pod, wanted: Pod, world: AttemptWorld): Promise<string | null> {
  const isOwned = pod.metadata?.ownerReferences?.some(({ uid }) => uid === world.hookUid) === true;
  if (!isOwned)
    return `Pod ${nameOf(pod)} exists already, and does not belong to this hook: delete it.`;
  if (runsSameThaw(pod, wanted)) return null;
  await remove(pod, world);
  return `The rescue pod ${nameOf(pod)} of an earlier attempt ran another thaw, and was deleted.`;
}

function notCreated(error: unknown, wanted: Pod): Acted {
  const isForbidden = error instanceof ApiError && error.code === 403;
  const certain = isQuotaRefusal(error) ? 'Unreached' : 'Denied';
  const reason = `The rescue pod ${nameOf(wanted)} could not be created: ${errorText(error)}`;
  return {
    result: bareResult('Failed', reason, 0),
    notStarted: isForbidden ? certain : null,
  };
}

interface PodEnd {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly exitCode: number | null;
  readonly output: string;
}

async function waitForEnd(pod: Pod, world: AttemptWorld, untilMs: number): Promise<PodEnd> {
  const { context, namespace, signal } = world;
  const { clock, timers } = context.platform;
  const name = nameOf(pod);
  let seen: Pod | null = pod;
  for (;;) {
    if (seen === null || seen.metadata?.uid !== pod.metadata?.uid) {
      return unended('Failed', `The rescue pod ${name} was deleted before it had ended.`);
    }
    const end = endOf(seen);
    if (end !== null) return end;
    const restMs = untilMs - clock.monotonicMs();
    if (signal.aborted)
      return unended('Cancelled', `The thaw in the rescue pod ${name} was cancelled.`);
    if (restMs <= 0) {
      const reason = `The rescue pod ${name} had not ended in time${whyWaiting(seen)}.`;
      return unended('TimedOut', reason);
    }
    await sleep(timers, Math.min(LOOK_MS, restMs), signal);
    seen = await look(seen, { namespace, client: context.client });
  }
}

/** Returns the last known pod on an error, since the next read may succeed. */
async function look(
  seen: Pod,
  { namespace, client }: { readonly namespace: string } & Pick<AttemptWorld['context'], 'client'>,
): Promise<Pod | null> {
  try {
    return await getOrNull(client, pods, { namespace, name: nameOf(seen) });
  } catch {
    return seen;
  }
}

/**
 * null: the thaw runs, or has not started. A webhook may add containers to the pod: they do not change the outcome, and
 * may keep the pod running.
 */
function endOf(pod: Pod): PodEnd | null {
  const { terminated } = stateOf(pod);
  if (terminated === undefined && !hasEnded(pod)) return null;
  const { exitCode = null, message: output = '' } = terminated ?? {};
  const hasThawed = exitCode === null ? pod.status?.phase === 'Succeeded' : exitCode === 0;
  if (hasThawed) {
    const reason = `The rescue pod ${nameOf(pod)} has thawed.`;
    return { outcome: 'Succeeded', reason, exitCode, output };
  }
  return { ...whyFailed(pod, exitCode), exitCode, output };
}

function whyFailed(pod: Pod, exitCode: number | null): Pick<PodEnd, 'outcome' | 'reason'> {
  const { reason: why, message = '' } = pod.status ?? {};
  const name = nameOf(pod);
  if (why === 'DeadlineExceeded') {
    return { outcome: 'TimedOut', reason: `The rescue pod ${name} had not ended in time.` };
  }
  const code = exitCode === null ? '' : ` with exit code ${exitCode}`;
  const reported = message === '' ? '' : ` (${message})`;
  return { outcome: 'Failed', reason: `The rescue pod ${name} has failed${code}${reported}.` };
}

function unended(outcome: Outcome, reason: string): PodEnd {
  return { outcome, reason, exitCode: null, output: '' };
}

function whyWaiting(pod: Pod): string {
  const { waiting } = stateOf(pod);
  if (waiting === undefined) return '';
  return `: ${waiting.reason ?? 'it waits'} ${waiting.message ?? ''}`.trimEnd();
}

/** The state of the container that thaws. */
function stateOf({ status }: Pod): ContainerState {
  return status?.containerStatuses?.find(({ name }) => name === THAW_CONTAINER)?.state ?? {};
}

/** Deletes the pod. If that fails, the pod is deleted together with its hook. */
async function remove(pod: Pod, { context, namespace }: AttemptWorld): Promise<void> {
  const { uid } = pod.metadata ?? {};
  const key = { namespace, name: nameOf(pod) };
  try {
    await context.client.delete(pods, key, {
      gracePeriodSeconds: 0,
      timeoutMs: DELETE_TIMEOUT_MS,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
  } catch {
    // A failed clean-up does not change the outcome of the thaw.
  }
}

function resultOf({ outcome, reason, exitCode, output }: PodEnd, ms: number): AttemptResult {
  const stdout = { text: output, totalBytes: Buffer.byteLength(output) };
  return { ...bareResult(outcome, reason, ms), exitCode, stdout };
}

function nameOf({ metadata }: Pod): string {
  return metadata?.name ?? '';
}
