/** One life of one container: a restart in place begins another, which has the image's files and no synced ones. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { ContainerTarget } from '../hooks/select-containers.ts';

/** Unlike for all lives of all containers. */
export type Instance = string;

export function instanceOf({ metadata, status }: Pod, container: string): Instance {
  const found = status?.containerStatuses?.find(({ name }) => name === container);
  const { restartCount = 0, containerID = '' } = found ?? {};
  return JSON.stringify([metadata?.uid ?? metadata?.name, container, restartCount, containerID]);
}

/** Of the pods that `targets` were selected from. */
export function instancesOf(
  targets: readonly ContainerTarget[],
  pods: readonly Pod[],
): ReadonlyMap<ContainerTarget, Instance> {
  const found = targets.flatMap((target) => {
    const pod = podOf(target, pods);
    return pod === undefined ? [] : [[target, instanceOf(pod, target.container)] as const];
  });
  return new Map(found);
}

export function isReady(target: ContainerTarget, pods: readonly Pod[]): boolean {
  const statuses = podOf(target, pods)?.status?.containerStatuses ?? [];
  return statuses.some(({ name, ready }) => name === target.container && ready);
}

function podOf({ namespace, pod }: ContainerTarget, pods: readonly Pod[]): Pod | undefined {
  return pods.find(({ metadata }) => metadata?.name === pod && metadata.namespace === namespace);
}
