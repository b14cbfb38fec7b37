/**
 * Whom a hook is for: decided once, before anything runs, and never again (SNAP-I10). Only running containers
 * are chosen, in a pod in the order of its spec, those init containers before the others that stay
 * (restartPolicy Always). Pure.
 */
import type { Container, ContainerStatus as PodContainer, Pod } from 'kubernetes-types/core/v1.js';

import type { ContainerStatus, ExecutionHookSpec, HookPolicy, HookTargets } from '../kinds.ts';
import { CONTAINER_NAME_KEY } from '../schema/check-targets.ts';

/** Their statuses have to fit into one object of the API, which is bounded by 1.5 MiB. */
export const MAX_TARGETS = 500;

export interface SelectionInput {
  readonly spec: ExecutionHookSpec;
  readonly policy: HookPolicy;
  /** Those that are named, or that the selector selects. */
  readonly pods: readonly Pod[];
  /** Nodes that are known to be not ready. */
  readonly lostNodes: ReadonlySet<string>;
  /** Whether pods that are starting are waited for. */
  readonly isPatient?: boolean;
}

export type Selection = { readonly targets: readonly ContainerStatus[] } | NoSelection;

export interface NoSelection {
  /** Why the hook cannot run, in one word and in one sentence. */
  readonly reason: string;
  readonly message: string;
  /** A pod that starts may change that. */
  readonly mayCome?: true;
}

/** The reason of a hook that could run, and waits for more. */
export const STARTING = 'TargetsStarting';

export function selectTargets(input: SelectionInput): Selection {
  const { spec, policy } = input;
  const pods = input.pods.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (policy === 'ExecuteOnce') return selectOnce({ ...input, pods });
  const lacking = whatIsMissing(spec, pods) ?? whyStarting(input, pods);
  return (
    lacking ?? fitting(input, pods) ?? noTarget(spec, 'No container that is selected is running.')
  );
}

/** One pod is enough, so that those that are starting are waited for only where there is none. */
function selectOnce(input: SelectionInput): Selection {
  const { spec, pods } = input;
  const first = pods.filter(isFit).find((pod) => targetsIn(pod, spec).length > 0);
  const message = 'No pod that is selected is ready, stays, and has such a container running.';
  const found = first === undefined ? null : fitting(input, [first]);
  return found ?? whyStarting(input, pods) ?? noTarget(spec, message);
}

/** null: no container of these pods runs. */
function fitting({ spec, lostNodes }: SelectionInput, pods: readonly Pod[]): Selection | null {
  const targets = pods.flatMap((pod) => targetsIn(pod, spec));
  if (targets.length === 0) return null;
  return whyTerminating(targets, pods) ?? whyNot(targets, lostNodes) ?? { targets };
}

function noTarget({ onNoTarget }: ExecutionHookSpec, message: string): Selection {
  if (onNoTarget === 'Ignore') return { targets: [] };
  const next = 'Correct the selector, or set onNoTarget to Ignore where that is as it should be.';
  return { reason: 'NoTarget', message: `${message} ${next}`, mayCome: true };
}

/** It is selected, and its containers have not been started yet. */
function isStarting(pod: Pod, targets: HookTargets): boolean {
  if (pod.status?.phase !== 'Pending' || pod.metadata?.deletionTimestamp !== undefined)
    return false;
  const wanted = wantedIn(pod, targets);
  return containersOf(pod).some(({ name }) => wanted(name));
}

const NAMED_MAX = 3;

/** null: none of the pods is starting, or the hook waits for them no longer. */
function whyStarting(
  { spec, isPatient = false }: SelectionInput,
  pods: readonly Pod[],
): NoSelection | null {
  const starting = isPatient ? pods.filter((pod) => isStarting(pod, spec)) : [];
  if (starting.length === 0) return null;
  const names = starting.slice(0, NAMED_MAX).map(nameOf).join(', ');
  const more = starting.length > NAMED_MAX ? ` and ${starting.length - NAMED_MAX} more` : '';
  const message = `Pods that are selected are starting: ${names}${more}.`;
  return { reason: STARTING, message, mayCome: true };
}

/** Everything that may have been frozen, whatever the policy. */
export function selectForThaw(spec: ExecutionHookSpec, pods: readonly Pod[]): ContainerStatus[] {
  return pods.flatMap((pod) => targetsIn(pod, spec));
}

/** SNAP-G6: ready, and not about to go. */
function isFit({ metadata, status }: Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false;
  return (
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  );
}

function targetsIn(pod: Pod, targets: HookTargets): ContainerStatus[] {
  if (isOver(pod)) return [];
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

/** None of its containers will ever run again. */
export function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function statusOf({ status }: Pod, container: string): PodContainer | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.find(({ name }) => name === container);
}

/** Whoever is named has to be there: a freeze of some of them would be none. */
function whatIsMissing(
  { podContainerNamesList: list = [] }: HookTargets,
  pods: readonly Pod[],
): NoSelection | null {
  for (const { podName, containerNames } of list) {
    const pod = pods.find((each) => nameOf(each) === podName);
    if (pod === undefined) {
      const message = `There is no pod ${podName} in this namespace.`;
      return { reason: 'TargetNotFound', message, mayCome: true };
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
      return isOver(pod) ? { reason, message } : { reason, message, mayCome: true };
    }
    const message = `The pod ${podName} has no container ${absent} that stays: it has ${known.join(', ')}.`;
    return { reason, message };
  }
  return null;
}

/** Its container may end at any moment, and then nothing could thaw what it has frozen. */
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
  const message = `The pod ${nameOf(terminating)} is terminating, so its freeze could end without a thaw: make the hook again when the pod is deleted.`;
  return { reason: 'PodTerminating', message };
}

function whyNot(
  targets: readonly ContainerStatus[],
  lostNodes: ReadonlySet<string>,
): NoSelection | null {
  if (targets.length > MAX_TARGETS) {
    const message = `A hook is for at most ${MAX_TARGETS} containers, and this one selects ${targets.length}: make several of it.`;
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
