/** What a hook's pod tells of its attempt (ROLL-DH13). Pure. */
import type { ContainerStateTerminated, ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { isGoing } from '../../../controller/finalizers.ts';
import { HOOK_CONTAINER } from './hook-container.ts';
import { isGone } from './is-gone.ts';

/** Of a message, as it is kept: 4 KiB. */
export const MESSAGE_CHARACTERS_MAX = 4_096;

export type PodState =
  /** What it waits for, for people: "ErrImagePull: …"; `obstacle`: it may never start without help. */
  | { readonly kind: 'notStarted'; readonly waitsFor: string; readonly obstacle: boolean }
  | { readonly kind: 'running'; readonly note: string }
  | PodEnd;

export interface PodEnd {
  readonly kind: 'ended';
  /** Unknown: its node has lost sight of it. */
  readonly outcome: 'Succeeded' | 'Failed' | 'Unknown';
  /** It ended after it was deleted: its exit code, also 0, says nothing of what it had to do. */
  readonly stopped: boolean;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** How a node calls the end of a container that it has not seen. */
const UNSEEN = 'ContainerStatusUnknown';
/** Where nothing but the phase of the pod is known. */
const PENDING = 'Pending';
/** What a container waits for when nothing is wrong. */
const USUAL = ['ContainerCreating', 'PodInitializing'];

/** Our container decides, whatever else runs in the pod. */
export function readHookPod(pod: Pod): PodState {
  const own = statusOf(pod);
  const terminated = own?.state?.terminated;
  if (terminated !== undefined) return endOf(pod, terminated);
  if (isGone(pod)) return endWithout(pod, own);
  if (own?.state?.running === undefined) {
    const wait = waitOf(pod, own);
    return { kind: 'notStarted', waitsFor: sayWhy(wait), obstacle: isObstacle(wait) };
  }
  return { kind: 'running', note: pod.status?.reason ?? '' };
}

function statusOf({ status }: Pod): ContainerStatus | undefined {
  return status?.containerStatuses?.find(({ name }) => name === HOOK_CONTAINER);
}

function endOf(pod: Pod, terminated: ContainerStateTerminated): PodEnd {
  const { exitCode, signal, reason, message, finishedAt } = terminated;
  const stopped = wasStopped(pod, finishedAt);
  const ended = exitCode === 0 ? 'Succeeded' : 'Failed';
  return {
    kind: 'ended',
    outcome: reason === UNSEEN ? 'Unknown' : ended,
    stopped,
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    ...told(reason ?? pod.status?.reason, message),
  };
}

/**
 * Times have whole seconds, so an end in the second of the deletion counts as one because of it: a hook that
 * was told to stop and exits with 0 has not done what it had to do, and one that had may be run again.
 */
function wasStopped(pod: Pod, finishedAt: string | undefined): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata ?? {};
  if (deletionTimestamp === undefined) return false;
  const askedMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000;
  const finishedMs = Date.parse(finishedAt ?? '');
  return Number.isNaN(finishedMs) || finishedMs >= askedMs;
}

/** Nothing is known of our container but what the pod says: it was evicted, or never ran. */
function endWithout(pod: Pod, own: ContainerStatus | undefined): PodEnd {
  const { phase, reason, message } = pod.status ?? {};
  const why = reason === undefined ? sayWhy(waitOf(pod, own)) : undefined;
  return {
    kind: 'ended',
    outcome: phase === 'Succeeded' ? 'Succeeded' : 'Failed',
    stopped: phase !== 'Succeeded' && isGoing(pod),
    ...told(reason ?? wordOf(why), message ?? why),
  };
}

function told(
  reason: string | undefined,
  message: string | undefined,
): Pick<PodEnd, 'reason' | 'message'> {
  return {
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === ''
      ? {}
      : { message: message.trimEnd().slice(-MESSAGE_CHARACTERS_MAX) }),
  };
}

/** "ErrImagePull: …": the word before the colon. */
function wordOf(why: string | undefined): string | undefined {
  return why?.split(':', 1)[0];
}

interface Wait {
  readonly reason?: string;
  readonly message?: string;
}

function waitOf(pod: Pod, own: ContainerStatus | undefined): Wait {
  const { conditions = [], initContainerStatuses = [] } = pod.status ?? {};
  const unscheduled = conditions.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  if (unscheduled !== undefined) return unscheduled;
  const containers = own === undefined ? initContainerStatuses : [own, ...initContainerStatuses];
  const waits = containers.flatMap(({ state }) => state?.waiting ?? []);
  const unusual = waits.find(({ reason = '' }) => !USUAL.includes(reason));
  return unusual ?? waits[0] ?? { reason: pod.status?.phase ?? PENDING };
}

function isObstacle({ reason = '' }: Wait): boolean {
  return ![PENDING, ...USUAL].includes(reason);
}

function sayWhy({ reason = '', message = '' }: Wait): string {
  return message === '' ? reason : `${reason}: ${message}`;
}
