/**
 * Finds the path by which a command in a container reaches the container's root. With the local cluster's process
 * runner, a container is a process of this machine, and "/" is the machine's root. The container's root is then the
 * image's directory, as a path relative to the working directory.
 */
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

import { nodes } from '../../../kube/resources.ts';
import { joinPaths, relativePath } from '../config/paths.ts';
import type { ContainerTarget } from '../hooks/select-containers.ts';
import type { BuiltArtifact, Deployed, KubeTarget, PipelineSession } from '../session.ts';

/** The containers that get the changed files: those of this image in these namespaces. */
export interface Receivers {
  readonly built: BuiltArtifact;
  readonly deployed: Pick<Deployed, 'namespaces'>;
}

export type ContainerRoot =
  | { readonly kind: 'root'; readonly path: string }
  /** The reason is the end of a sentence. */
  | { readonly kind: 'unknown'; readonly reason: string };

export async function containerRoot(
  { target, hooks }: PipelineSession,
  { built, deployed }: Receivers,
): Promise<ContainerRoot> {
  if (target === null || target.images === null) return { kind: 'root', path: '/' };
  if (!(await runsProcesses(target))) return { kind: 'root', path: '/' };
  return inFolder(built, (await hooks.cluster?.pods(deployed.namespaces)) ?? []);
}

function inFolder({ artifact, reference }: BuiltArtifact, pods: readonly Pod[]): ContainerRoot {
  const { builder } = artifact;
  if (builder.kind !== 'folder') {
    return unknown('on the process runner only the working directory of its image is known');
  }
  const own = workingDirs(pods, reference);
  if (own.length > 1) return unknown('its containers have several working directories');
  const folder = joinPaths('/', own[0] ?? builder.workingDir ?? '');
  const path = relativePath(folder, '/');
  return { kind: 'root', path: path === '' ? '.' : path };
}

function unknown(reason: string): ContainerRoot {
  return { kind: 'unknown', reason };
}

/**
 * Whether containers are processes of this machine. They run in the directory of their image, which keeps synced files.
 */
export async function runsProcesses({
  client,
  images,
}: Pick<KubeTarget, 'client' | 'images'>): Promise<boolean> {
  return images !== null && (await client.list(nodes)).items.some(isOfProcesses);
}

function isOfProcesses({ status }: Node): boolean {
  return status?.nodeInfo?.containerRuntimeVersion.startsWith('process:') === true;
}

function workingDirs(pods: readonly Pod[], image: string): string[] {
  const containers = pods.flatMap(({ spec }) => spec?.containers ?? []);
  const found = containers.filter((one) => one.image === image);
  return [...new Set(found.flatMap((one) => one.workingDir ?? []))];
}

/** Identifies one instance of a container: from one start to its exit. */
export type Instance = string;

/**
 * The instance of a container. A restart in place creates another instance, which has the image's files but no synced
 * ones.
 */
export function instanceOf({ metadata, status }: Pod, container: string): Instance {
  const found = status?.containerStatuses?.find(({ name }) => name === container);
  const { restartCount = 0, containerID = '' } = found ?? {};
  return JSON.stringify([metadata?.uid ?? metadata?.name, container, restartCount, containerID]);
}

/** The container instances of the targets. `pods`: the pods from which `targets` were selected. */
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
