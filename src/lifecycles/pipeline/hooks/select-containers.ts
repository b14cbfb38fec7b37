/** Selects the containers in which a container hook runs. Pure over the observed pods. */
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { nameGlob } from './glob.ts';
import type { ContainerAction } from './model.ts';
import { hasEnded } from '../../../kube/pod-state.ts';

export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface ContainerRule {
  readonly action: Pick<ContainerAction, 'podName' | 'podPrefix' | 'containerName'>;
  /** The namespaces of the deployment: pods elsewhere are not ours (PIPE-CASE29). */
  readonly namespaces: readonly string[];
  /** For sync hooks: the exact reference that the containers run; null: containers with any image match. */
  readonly image: string | null;
}

export interface Selection {
  /** Running containers, in order of namespace, pod and place in the pod. */
  readonly running: readonly ContainerTarget[];
  /** Matching containers that do not run yet: the caller looks them up again (PIPE-B2). */
  readonly waiting: readonly ContainerTarget[];
}

/**
 * Selects the containers of pods by the rule. All conditions of the rule must hold. A pod that is terminating or has
 * ended is not selected.
 *
 * Worked example: podPrefix "bar" selects bar-7f-x and not foobar (PIPE-S8); podName "*-7f-?" selects both bar-7f-x and
 * foobar-7f-x.
 */
export function selectContainers(rule: ContainerRule, pods: readonly Pod[]): Selection {
  const found = inOrder(pods)
    .filter((pod) => isSelectable(rule, pod))
    .flatMap((pod) =>
      matchingContainers(rule, pod).map((container) => ({
        target: { ...nameOf(pod), container },
        state: stateOf(pod, container),
      })),
    );
  const inState = (wanted: string): ContainerTarget[] =>
    found.filter(({ state }) => state === wanted).map(({ target }) => target);
  return { running: inState('running'), waiting: inState('waiting') };
}

function nameOf({ metadata }: Pod): { namespace: string; pod: string } {
  return { namespace: metadata?.namespace ?? '', pod: metadata?.name ?? '' };
}

function isSelectable({ action, namespaces }: ContainerRule, pod: Pod): boolean {
  const { namespace, pod: name } = nameOf(pod);
  if (pod.metadata?.deletionTimestamp !== undefined) return false;
  if (hasEnded(pod)) return false;
  return namespaces.includes(namespace) && podFilter(action)(name);
}

function podFilter({ podName, podPrefix }: ContainerRule['action']): (name: string) => boolean {
  const glob = podName === undefined ? null : nameGlob(podName);
  return (name) => {
    if (podPrefix !== undefined && !name.startsWith(podPrefix)) return false;
    // An invalid glob is an error when the configuration is read (PIPE-B12); here it matches nothing.
    return glob === null || (glob.kind === 'glob' && glob.matches(name));
  };
}

function matchingContainers({ action, image }: ContainerRule, pod: Pod): string[] {
  const { containerName } = action;
  const glob = containerName === undefined ? null : nameGlob(containerName);
  const isNamed = (name: string): boolean =>
    glob === null || (glob.kind === 'glob' && glob.matches(name));
  return (pod.spec?.containers ?? [])
    .filter((container) => image === null || container.image === image)
    .map(({ name }) => name)
    .filter((name) => isNamed(name));
}

function stateOf({ spec, status }: Pod, container: string): 'running' | 'waiting' | 'ended' {
  const found = status?.containerStatuses?.find(({ name }: ContainerStatus) => name === container);
  const state = found?.state ?? {};
  if (state.running !== undefined) return 'running';
  if (state.terminated === undefined) return 'waiting';
  return spec?.restartPolicy === 'Always' ? 'waiting' : 'ended';
}

function inOrder(pods: readonly Pod[]): Pod[] {
  const key = ({ metadata }: Pod): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  return pods.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

export function targetName({ namespace, pod, container }: ContainerTarget): string {
  return `${namespace}/${pod}/${container}`;
}
