/**
 * Gathers the facts about a hook that has begun.
 *
 * Only the server itself can confirm that a pod is deleted. If a pod cannot be read, nothing is sent to that pod,
 * and the other pods are thawed.
 */
import type { ContainerStatus as PodContainer, Pod } from 'kubernetes-types/core/v1.js';

import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import type { CallOptions } from '../../../kube/client.ts';
import type { ContainerStatus, ExecutionHook, ResolvedActions } from '../kinds.ts';
import { claimsOf } from './begin-hook.ts';
import { attemptId, type AttemptNumber, attemptsOf, targetSessionId } from './attempts.ts';
import type { HookFacts, OpenAttempt, TargetFacts, TargetLife } from './facts.ts';
import type { HookState } from './hook-state.ts';
import { readPods } from './read-targets.ts';
import { statusOf } from './select-targets.ts';
import { isHeld, isOpen, preOutcome, targetsOf, uidOf } from './targets.ts';
import { hasEnded } from '../../../kube/pod-state.ts';

/** All facts except `blocked`, which must be read at the same moment as the decision. */
export type GatheredFacts = Omit<HookFacts, 'blocked'>;

export async function gatherFacts(
  shared: HookState,
  hook: ExecutionHook,
  { resolved, call }: { readonly resolved: ResolvedActions; readonly call: CallOptions },
): Promise<GatheredFacts> {
  const namespace = hook.metadata?.namespace ?? '';
  const uid = uidOf(hook);
  const targets = targetsOf(hook);
  const proven = await readUnseen(shared, { namespace, targets, call });
  const { clock } = shared.context.platform;
  return {
    hook,
    nowMs: clock.nowMs(),
    frozenForMs: shared.frozenForMs(uid, targets),
    round: shared.rounds.look(uid),
    targets: targets.map((target) => gatherTarget(shared, target, { hook, resolved, proven })),
  };
}

interface Known {
  readonly hook: ExecutionHook;
  readonly resolved: ResolvedActions;
  /** The pods that were read from the server because the cache lacks them, by name; null: they could not be read. */
  readonly proven: ReadonlyMap<string, Pod> | null;
}

function gatherTarget(
  shared: HookState,
  target: ContainerStatus,
  { hook, resolved, proven }: Known,
): TargetFacts {
  const uid = uidOf(hook);
  const cached = podOf(shared, hook.metadata?.namespace ?? '', target);
  const pod = cached ?? proven?.get(target.podName);
  const session = shared.sessions.look(targetSessionId(uid, target));
  const known = {
    ...knownOf(target, pod),
    open: openOf(shared, uid, target),
    session: resolved.preAction.session === undefined ? null : session,
  };
  if (!isWatched(target)) return { ...known, life: SAME };
  if (cached === undefined && proven === null) return { ...known, life: SAME, isUnread: true };
  return { ...known, life: lifeOf(target, pod) };
}

function knownOf(
  { claimNames = [], containerName }: ContainerStatus,
  pod: Pod | undefined,
): Pick<TargetFacts, 'isTerminating' | 'claimNames'> {
  return {
    isTerminating: pod?.metadata?.deletionTimestamp !== undefined,
    claimNames: pod === undefined ? claimNames : claimsOf(pod, containerName),
  };
}

const SAME: TargetLife = { kind: 'same' };

/** undefined: the cache has no pod of that name, or has another pod with that name. */
export function podOf(
  { pods }: HookState,
  namespace: string,
  { podName, podUID }: ContainerStatus,
): Pod | undefined {
  const pod = pods.get(`${namespace}/${podName}`);
  return pod?.metadata?.uid === podUID ? pod : undefined;
}

/** Whether the target may still be frozen, or its freeze is not decided. */
function isWatched(target: ContainerStatus): boolean {
  return preOutcome(target) === undefined || isHeld(target);
}

/** Milliseconds that targets of known pods wait for the server's answer about the others. */
const READ_MS = 2_000;

/**
 * Reads from the server the pods that the cache does not have, since a cache may lack the newest pods. null: the server
 * did not answer, or answered with an error.
 */
async function readUnseen(
  shared: HookState,
  of: {
    readonly namespace: string;
    readonly targets: readonly ContainerStatus[];
    readonly call: CallOptions;
  },
): Promise<ReadonlyMap<string, Pod> | null> {
  const { namespace, targets, call } = of;
  const unseen = targets.filter(
    (target) => isWatched(target) && podOf(shared, namespace, target) === undefined,
  );
  if (unseen.length === 0) return new Map();
  const list = unseen.map(({ podName }) => ({ podName, containerNames: [] }));
  const { client } = shared.context;
  const wanted = { podContainerNamesList: list };
  try {
    const found = await readPods(client, wanted, { namespace, ...call, timeoutMs: READ_MS });
    return new Map(found.map((pod) => [pod.metadata?.name ?? '', pod]));
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnreachableError) return null;
    throw error;
  }
}

/** The state of the selected container, derived from the pod that now has the name of the target's pod. */
export function lifeOf(target: ContainerStatus, pod: Pod | undefined): TargetLife {
  const { podName, podUID, containerName } = target;
  if (pod?.metadata?.uid !== podUID) {
    const what = pod === undefined ? 'is deleted' : 'is deleted, and a new pod has its name';
    return { kind: 'gone', reason: `the pod ${podName} ${what}` };
  }
  if (hasEnded(pod)) return { kind: 'gone', reason: `the pod ${podName} has ended` };
  const now = statusOf(pod, containerName);
  if (now !== undefined && isReplaced(target, now)) return lifeOfEnded(target, pod, now);
  if (pod.metadata.deletionTimestamp === undefined) return SAME;
  return { kind: 'terminating', reason: `the pod ${podName} is terminating` };
}

/** The state of a container that has ended. In a terminating pod the kubelet restarts nothing. */
function lifeOfEnded(
  { podName, containerName }: ContainerStatus,
  { metadata }: Pod,
  { state }: PodContainer,
): TargetLife {
  const reason = `the container ${containerName} of pod ${podName} has exited since`;
  const isForGood = metadata?.deletionTimestamp !== undefined && state?.running === undefined;
  return { kind: isForGood ? 'gone' : 'restarted', reason };
}

/** Whether the selected container has ended, or a later one runs in its place. */
function isReplaced({ containerID, restartCount }: ContainerStatus, now: PodContainer): boolean {
  // A smaller restart count comes from a cache that is older than the selection.
  if (now.restartCount !== restartCount) return now.restartCount > restartCount;
  const { terminated, running } = now.state ?? {};
  if (terminated !== undefined) return terminated.containerID === containerID;
  return running !== undefined && now.containerID !== containerID;
}

function openOf(shared: HookState, uid: string, target: ContainerStatus): OpenAttempt | null {
  const open = openAttempt(target);
  return open === null ? null : shared.attempts.look(attemptId(uid, target, open));
}

/** The attempt of a target that has no outcome yet; null: none. */
export function openAttempt({
  preActionStatus: pre,
  postActionStatus: post,
}: ContainerStatus): AttemptNumber | null {
  if (isOpen(post)) return { action: 'post', attempt: attemptsOf(post) };
  return isOpen(pre) ? { action: 'pre', attempt: attemptsOf(pre) } : null;
}
