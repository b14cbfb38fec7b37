/**
 * Judges the containers of a workload's pods: finds those that cannot run until a user fixes something, and the reasons
 * why others are not ready yet. Pure over the observed pods.
 */
import type { ContainerState, ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

export interface PodTrouble {
  /** certain: the container does not become ready by itself; pending: it may. */
  readonly kind: 'certain' | 'pending';
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | null;
  /** The end of a sentence: "exited with code 1". */
  readonly why: string;
  /** The log that has the reason of an exit; null: the container has not exited. */
  readonly log: 'current' | 'previous' | null;
}

/** The restart count of each container at its first read, plus one if a new image will restart it; by `restartKey`. */
export type Restarts = ReadonlyMap<string, number>;

/** The kubelet has not read the ConfigMap or Secret yet, so the object may exist. */
const NOT_READ = /^failed to sync (?:configmap|secret) cache/u;

/** Reasons for which a container waits until a user fixes something. */
const BAD_WAITING = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImagePull',
  'ErrImageNeverPull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RegistryUnavailable',
  'RunContainerError',
]);

/**
 * Finds the containers in trouble. `owner` is the kind of the deployed object. Exits are not judged for a Job, which
 * counts them itself.
 *
 * Worked example: a container of a Deployment that exited with code 0 is in certain trouble, since it must keep
 * running; an init container that exited with code 0 is in no trouble.
 */
export function judgePods(
  owner: string,
  pods: readonly Pod[],
  restarts: Restarts,
): readonly PodTrouble[] {
  return pods
    .filter(({ metadata, status }) => !isLeaving(metadata) && status?.phase !== 'Succeeded')
    .flatMap((pod) => {
      if (pod.status?.phase === 'Failed') return RUNS_TO_END.has(owner) ? endTroubles(pod) : [];
      const found = statusesOf(pod).flatMap((status) => {
        const trouble = containerTrouble(status, { owner, pod, restarts });
        return trouble === null ? [] : [trouble];
      });
      return found.length > 0 ? found : podTrouble(pod);
    });
}

export function restartsOf(pods: readonly Pod[]): Restarts {
  return new Map(
    pods.flatMap((pod) =>
      statusesOf(pod).map((status) => {
        const due = awaitsImage(status, pod) ? 1 : 0;
        return [restartKey(pod, status), status.restartCount + due] as const;
      }),
    ),
  );
}

/**
 * Whether the container still has the previous image: the kubelet stops it, and starts the new image in the same pod.
 */
function awaitsImage({ name, image }: ContainerStatus, { metadata, spec }: Pod): boolean {
  // A workload never changes an image in a pod: it creates new pods.
  if (metadata?.ownerReferences !== undefined) return false;
  const wanted = spec?.containers.find((one) => one.name === name)?.image;
  if (wanted === undefined || wanted === image) return false;
  // The status has the full name of the image, the spec perhaps a short one.
  return !image.endsWith(`/${wanted}`) && !image.endsWith(`/${wanted}:latest`);
}

/**
 * Kinds whose pods may exit: their own status reports a failure, and their failed pods show the reason. Other kinds
 * replace a failed pod.
 */
const RUNS_TO_END = new Set(['Job', 'Pod']);

/** The exits of a pod in phase Failed. They are only pending, since a Job may still succeed with another pod. */
function endTroubles(pod: Pod): PodTrouble[] {
  return statusesOf(pod).flatMap(({ name, state = {} }) => {
    const { terminated } = state;
    if (terminated === undefined || terminated.exitCode === 0) return [];
    const why = exitText(terminated);
    return [{ ...placeOf(pod), kind: 'pending', container: name, why, log: 'current' } as const];
  });
}

function isLeaving(metadata: Pod['metadata']): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

interface Around {
  readonly owner: string;
  readonly pod: Pod;
  readonly restarts: Restarts;
}

function containerTrouble(status: ContainerStatus, around: Around): PodTrouble | null {
  const found =
    (around.owner === 'Job' ? null : exitTrouble(status, around)) ?? waitTrouble(status);
  return found === null ? null : { ...placeOf(around.pod), container: status.name, ...found };
}

type Found = Pick<PodTrouble, 'kind' | 'why' | 'log'>;

function exitTrouble(status: ContainerStatus, { pod, restarts }: Around): Found | null {
  const { restartCount, state = {}, lastState = {} } = status;
  const { terminated: now, running } = state;
  if (now !== undefined) {
    if (awaitsImage(status, pod)) return null;
    if (isBadExit(now.exitCode, status, pod))
      return { kind: 'certain', why: exitText(now), log: 'current' };
  }
  const last = lastState.terminated;
  if (last === undefined || !isRestarted(status, restarts.get(restartKey(pod, status))))
    return null;
  const times = restartCount === 1 ? 'once' : `${restartCount} times`;
  const why = `${exitText(last)}, and was restarted ${times}`;
  return { kind: 'certain', why, log: running === undefined ? 'current' : 'previous' };
}

function isRestarted({ restartCount, state }: ContainerStatus, before = 0): boolean {
  return state?.waiting?.reason === 'CrashLoopBackOff' || restartCount > before;
}

function waitTrouble({ state }: ContainerStatus): Found | null {
  const { reason = '', message = '' } = state?.waiting ?? {};
  if (reason === '' || reason === 'PodInitializing') return null;
  const detail = message === '' ? '' : `: ${message}`;
  const kind = BAD_WAITING.has(reason) && !NOT_READ.test(message) ? 'certain' : 'pending';
  return { kind, why: `waits with ${reason}${detail}`, log: null };
}

/** Whether the exit is a failure: any code except 0, and also 0 for a container that must keep running. */
function isBadExit(code: number, { name }: ContainerStatus, { spec }: Pod): boolean {
  if (code !== 0) return true;
  const runsOn = spec?.restartPolicy === undefined || spec.restartPolicy === 'Always';
  return runsOn && (spec?.containers ?? []).some((one) => one.name === name);
}

function exitText({
  exitCode,
  signal,
  reason = '',
  message = '',
}: NonNullable<ContainerState['terminated']>): string {
  const by = signal === undefined || signal === 0 ? '' : ` by signal ${signal}`;
  const why = USUAL.has(reason) ? '' : ` (${reason})`;
  const detail = message.trim() === '' ? '' : `: ${message.trim()}`;
  return `exited with code ${exitCode}${by}${why}${detail}`;
}

const USUAL = new Set(['', 'Error', 'Completed']);

/** The trouble of a pod as a whole, for a pod whose containers are in no trouble. */
function podTrouble(pod: Pod): PodTrouble[] {
  const { conditions = [], containerStatuses = [] } = pod.status ?? {};
  const where = { ...placeOf(pod), kind: 'pending', log: null } as const;
  const place = conditions.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  if (place !== undefined) {
    const why = `is not scheduled: ${place.message ?? place.reason ?? 'no node accepts it'}`;
    return [{ ...where, container: null, why }];
  }
  return containerStatuses
    .filter(({ ready, state }) => !ready && state?.running !== undefined)
    .map(({ name }) => ({ ...where, container: name, why: 'is running, but not ready' }));
}

function placeOf({ metadata }: Pod): { readonly namespace: string; readonly pod: string } {
  return { namespace: metadata?.namespace ?? '', pod: metadata?.name ?? '' };
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

/** The key has the pod's UID, since a recreated pod has the same name. */
function restartKey({ metadata }: Pod, { name }: ContainerStatus): string {
  return `${metadata?.uid ?? ''} ${name}`;
}
