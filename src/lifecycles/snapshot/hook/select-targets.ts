/**
 * Selects the targets of a hook once, before anything runs, and never again (SNAP-I10). Pure.
 *
 * Only running containers are selected. Those of one pod are in the order of its spec, sidecar init containers
 * (restartPolicy Always) first.
 */
import type { Container, ContainerStatus as PodContainer, Pod } from 'kubernetes-types/core/v1.js';

import type { ContainerStatus, ExecutionHookSpec, HookPolicy, HookTargets } from '../kinds.ts';
import { CONTAINER_NAME_KEY } from '../schema/check-targets.ts';
import { hasEnded, isReady } from '../../../kube/pod-state.ts';
import { isTerminating } from '../../../controller/finalizers.ts';

/** Maximum number of targets: their statuses must fit into one object of the API, which has at most 1.5 MiB. */
export const MAX_TARGETS = 500;

export interface SelectionInput {
  readonly spec: ExecutionHookSpec;
  readonly policy: HookPolicy;
  /** The pods that are named, or that the selector selects. */
  readonly pods: readonly Pod[];
  /** Nodes that are known to be not ready. */
  readonly lostNodes: ReadonlySet<string>;
  /** Whether to wait for pods that are starting. */
  readonly isPatient?: boolean;
}

export type Selection = { readonly targets: readonly ContainerStatus[] } | NoSelection;

export interface NoSelection {
  /** The reason why the hook cannot run, as one token in CamelCase. */
  readonly reason: string;
  readonly message: string;
  /** Set if a starting pod may make the selection succeed. */
  readonly mayAppear?: true;
}

/** The reason of a hook that could run, but waits for more pods. */
export const STARTING = 'TargetsStarting';

export function selectTargets(input: SelectionInput): Selection {
  const { spec, policy } = input;
  const pods = input.pods.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (policy === 'ExecuteOnce') return selectOnce({ ...input, pods });
  const lacking = whatIsMissing(spec, pods) ?? whyStarting(input, pods);
  return lacking ?? fitting(input, pods) ?? noTarget(spec, 'No selected container is running.');
}

/** Selects one pod. One is enough, so starting pods are waited for only if no other pod fits. */
function selectOnce(input: SelectionInput): Selection {
  const { spec, pods } = input;
  const first = pods.filter(isFit).find((pod) => targetsIn(pod, spec).length > 0);
  const message =
    'No selected pod is ready and runs a selected container (terminating pods do not count).';
  const found = first === undefined ? null : fitting(input, [first]);
  return found ?? whyStarting(input, pods) ?? noTarget(spec, message);
}

/** The targets that fit, or the reason why they cannot be used. null: none of the wanted containers runs. */
function fitting({ spec, lostNodes }: SelectionInput, pods: readonly Pod[]): Selection | null {
  const targets = pods.flatMap((pod) => targetsIn(pod, spec));
  if (targets.length === 0) return null;
  return whyTerminating(targets, pods) ?? whyNot(targets, lostNodes) ?? { targets };
}

function noTarget({ onNoTarget }: ExecutionHookSpec, message: string): Selection {
  if (onNoTarget === 'Ignore') return { targets: [] };
  const next = 'Correct the selector, or set onNoTarget to Ignore if no target is expected.';
  return { reason: 'NoTarget', message: `${message} ${next}`, mayAppear: true };
}

/** Whether the pod is selected, and its containers have not started yet. */
function isStarting(pod: Pod, targets: HookTargets): boolean {
  if (pod.status?.phase !== 'Pending' || pod.metadata?.deletionTimestamp !== undefined)
    return false;
  const wanted = wantedIn(pod, targets);
  return containersOf(pod).some(({ name }) => wanted(name));
}

const NAMED_MAX = 3;

/** The reason to wait for pods that start. null: none of the pods is starting, or the hook no longer waits for them. */
function whyStarting(
  { spec, isPatient = false }: SelectionInput,
  pods: readonly Pod[],
): NoSelection | null {
  const starting = isPatient ? pods.filter((pod) => isStarting(pod, spec)) : [];
  if (starting.length === 0) return null;
  const names = starting.slice(0, NAMED_MAX).map(nameOf).join(', ');
  const more = starting.length > NAMED_MAX ? ` and ${starting.length - NAMED_MAX} more` : '';
  const message = `Selected pods are starting: ${names}${more}.`;
  return { reason: STARTING, message, mayAppear: true };
}

/** Every running target that the hook selects, whatever its policy: each may have been frozen. */
export function selectForThaw(spec: ExecutionHookSpec, pods: readonly Pod[]): ContainerStatus[] {
  return pods.flatMap((pod) => targetsIn(pod, spec));
}

/** Whether the pod is ready and not terminating (SNAP-G6). */
function isFit(pod: Pod): boolean {
  return !isTerminating(pod) && isReady(pod);
}

function targetsIn(pod: Pod, targets: HookTargets): ContainerStatus[] {
  if (hasEnded(pod)) return [];
  const wanted = wantedIn(pod, targets);
  return containersOf(pod).flatMap(({ name }) => {
    if (!wanted(name)) return [];
    const running = statusOf(pod, name);
    return running?.state?.running === undefined ? [] : [targetOf(pod, running)];
  });
}

function wantedIn(
  pod: Pod,
  { podContainerNamesList: list, containerSelector }: HookTargets,
): (container: string) => boolean {
  if (list !== undefined) {
    const named = list.find(({ podName }) => podName === nameOf(pod))?.containerNames ?? [];
    return (container) => named.includes(container);
  }
  const only = containerSelector?.[CONTAINER_NAME_KEY];
  return (container) => only === undefined || container === only;
}

function targetOf({ metadata, spec }: Pod, running: PodContainer): ContainerStatus {
  const { containerID = '', restartCount, name } = running;
  return {
    podName: metadata?.name ?? '',
    containerName: name,
    podUID: metadata?.uid ?? '',
    containerID,
    restartCount,
    ...(spec?.nodeName === undefined ? {} : { nodeName: spec.nodeName }),
  };
}

function containersOf({ spec }: Pod): readonly Container[] {
  const staying = (spec?.initContainers ?? []).filter((each) => each.restartPolicy === 'Always');
  return [...staying, ...(spec?.containers ?? [])];
}

export function statusOf({ status }: Pod, container: string): PodContainer | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.find(({ name }) => name === container);
}

/**
 * A listed container that does not exist or does not run. Every one must: freezing only some of them would be
 * worthless.
 */
function whatIsMissing(
  { podContainerNamesList: list = [] }: HookTargets,
  pods: readonly Pod[],
): NoSelection | null {
  for (const { podName, containerNames } of list) {
    const pod = pods.find((each) => nameOf(each) === podName);
    if (pod === undefined) {
      const message = `There is no pod ${podName} in this namespace.`;
      return { reason: 'TargetNotFound', message, mayAppear: true };
    }
    const found = targetsIn(pod, { podContainerNamesList: list });
    const absent = containerNames.find(
      (name) => !found.some((each) => each.containerName === name),
    );
    if (absent === undefined) continue;
    const known = containersOf(pod).map(({ name }) => name);
    const reason = 'TargetNotRunning';
    if (known.includes(absent)) {
      const message = `The container ${absent} of pod ${podName} is not running.`;
      return hasEnded(pod) ? { reason, message } : { reason, message, mayAppear: true };
    }
    const message = `The pod ${podName} has no main container or sidecar ${absent}: it has ${known.join(', ')}.`;
    return { reason, message };
  }
  return null;
}

/** A terminating pod of a target. Its containers may end at any moment, and then its freeze could not be thawed. */
function whyTerminating(
  targets: readonly ContainerStatus[],
  pods: readonly Pod[],
): NoSelection | null {
  const terminating = pods.find(
    ({ metadata }) =>
      metadata?.deletionTimestamp !== undefined &&
      targets.some(({ podUID }) => podUID === metadata.uid),
  );
  if (terminating === undefined) return null;
  const message = `The pod ${nameOf(terminating)} is terminating, so its freeze could end without a thaw: create the hook again when the pod is deleted.`;
  return { reason: 'PodTerminating', message };
}

function whyNot(
  targets: readonly ContainerStatus[],
  lostNodes: ReadonlySet<string>,
): NoSelection | null {
  if (targets.length > MAX_TARGETS) {
    const message = `A hook freezes at most ${MAX_TARGETS} containers, and this one selects ${targets.length}: split it into several.`;
    return { reason: 'TooManyTargets', message };
  }
  const lost = targets.find(({ nodeName = '' }) => lostNodes.has(nodeName));
  if (lost === undefined) return null;
  const message = `The node ${lost.nodeName ?? ''} of pod ${lost.podName} is not ready: what is frozen there could not be thawed.`;
  return { reason: 'NodeNotReady', message };
}

function nameOf({ metadata }: Pod): string {
  return metadata?.name ?? '';
}
