/** Reads the state of an attempt from its pod (ROLL-DH13). Pure. */
import type {
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodStatus,
} from 'kubernetes-types/core/v1.js';
import { isTerminating } from '../../../controller/finalizers.ts';
import { textEnd } from '../../../model/cut-text.ts';
import { HOOK_CONTAINER } from './hook-container.ts';

/** Maximum length of a stored message in characters: 4 KiB. */
export const MESSAGE_CHARACTERS_MAX = 4_096;

export type PodState =
  /**
   * waitsFor: a text for messages, such as "ErrImagePull: …". obstacle: true if the pod may never start without help.
   */
  | { readonly kind: 'notStarted'; readonly waitsFor: string; readonly obstacle: boolean }
  | { readonly kind: 'running'; readonly note: string }
  | PodEnd;

export interface PodEnd {
  readonly kind: 'ended';
  /** Unknown: the node did not observe the exit. */
  readonly outcome: 'Succeeded' | 'Failed' | 'Unknown';
  /**
   * True: the process exited after the deletion of the pod was requested. Its exit code, even 0, then does not prove
   * that the work is finished.
   */
  readonly stopped: boolean;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** The reason that a node reports for an exit that it did not observe. */
const UNSEEN = 'ContainerStatusUnknown';
/** The reason if only the phase of the pod is known. */
const PENDING = 'Pending';
/** The waiting reasons of a container that is starting normally. */
const USUAL = ['ContainerCreating', 'PodInitializing'];

/** The state of an attempt. Only the hook's container counts, not other containers of the pod. */
export function readHookPod(pod: Pod): PodState {
  const own = statusOf(pod);
  const terminated = own?.state?.terminated;
  if (terminated !== undefined) return endOf(pod, terminated);
  if (isFinished(pod)) return endWithout(pod, own);
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
    ...reported(reason ?? pod.status?.reason, message),
  };
}

/**
 * True: the end counts as caused by the deletion. Times have whole seconds, so an end in the second of the deletion
 * counts too. A stopped hook that exits with 0 may not have finished its work, and a finished hook may be run again.
 */
function wasStopped(pod: Pod, finishedAt: string | undefined): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata ?? {};
  if (deletionTimestamp === undefined) return false;
  const askedMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000;
  const finishedMs = Date.parse(finishedAt ?? '');
  return Number.isNaN(finishedMs) || finishedMs >= askedMs;
}

/** True: the pod garbage collector ended the pod, and the last report of its lost node is that the container runs. */
function isUnseen({ phase }: PodStatus, own: ContainerStatus | undefined): boolean {
  return phase === 'Failed' && own?.state?.running !== undefined;
}

function unseenEnd({
  reason = 'NodeLost',
  message = 'its node was lost while it ran',
}: PodStatus): PodEnd {
  return { kind: 'ended', outcome: 'Unknown', stopped: true, ...reported(reason, message) };
}

/** The end of a pod without an end of the hook's container: the pod was evicted or never ran, or its node was lost. */
function endWithout(pod: Pod, own: ContainerStatus | undefined): PodEnd {
  const status = pod.status ?? {};
  if (isUnseen(status, own)) return unseenEnd(status);
  const { phase, reason, message } = status;
  const why = reason === undefined ? sayWhy(waitOf(pod, own)) : undefined;
  return {
    kind: 'ended',
    outcome: phase === 'Succeeded' ? 'Succeeded' : 'Failed',
    stopped: phase !== 'Succeeded' && isTerminating(pod),
    ...reported(reason ?? wordOf(why), message ?? why),
  };
}

function reported(
  reason: string | undefined,
  message: string | undefined,
): Pick<PodEnd, 'reason' | 'message'> {
  return {
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === ''
      ? {}
      : { message: textEnd(message.trimEnd(), MESSAGE_CHARACTERS_MAX) }),
  };
}

/** The part before the colon: "ErrImagePull" of "ErrImagePull: …". */
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

/**
 * True: no process of the pod runs, and none can start. A deletion timestamp does not prove that, and a node that does
 * not respond may still run the pod (phase Unknown).
 */
export function isFinished(pod: Pod): boolean {
  const { phase } = pod.status ?? {};
  const running = statusesOf(pod).some(({ state }) => state?.running !== undefined);
  if (phase === 'Succeeded') return true;
  // If a node is lost, the pod garbage collector sets Failed and leaves the states of the containers unchanged.
  if (phase === 'Failed') return !running || isForgotten(pod);
  if (running || phase === 'Unknown') return false;
  return haveAllEnded(pod) || isForgotten(pod) || getsNoNode(pod);
}

/**
 * True: the pod has its final deletion, with a grace period of 0. The node has confirmed that deletion, or does not
 * exist. Lifehook never requests a deletion with a grace period of 0.
 */
function isForgotten(pod: Pod): boolean {
  return isTerminating(pod) && pod.metadata?.deletionGracePeriodSeconds === 0;
}

/** True: the pod will get no node, because the server binds no terminating pod. */
function getsNoNode(pod: Pod): boolean {
  return isTerminating(pod) && pod.spec?.nodeName === undefined;
}

/** True: all containers have exited; the phase of the pod may change later. */
function haveAllEnded({ spec, status }: Pod): boolean {
  const { containerStatuses = [] } = status ?? {};
  const expected = spec?.containers.length ?? 0;
  return (
    expected > 0 &&
    containerStatuses.length >= expected &&
    containerStatuses.every(({ state }) => state?.terminated !== undefined)
  );
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  return [
    ...containerStatuses,
    ...initContainerStatuses,
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}
