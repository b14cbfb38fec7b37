/**
 * Where the root of a container is, as a command in it names it. On the local cluster's process runner a container is
 * a process of this machine, whose "/" is the machine's: there it is the image's folder, as seen from the working folder.
 */
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

import { nodes } from '../../../kube/resources.ts';
import type { BuiltArtifact, Deployed, KubeTarget, PipelineSession } from '../session.ts';
import { joinPaths, relativePath } from './container-path.ts';

export interface RootOf {
  readonly built: BuiltArtifact;
  readonly deployed: Pick<Deployed, 'namespaces'>;
}

export type ContainerRoot =
  | { readonly kind: 'root'; readonly path: string }
  /** The end of a sentence. */
  | { readonly kind: 'unknown'; readonly reason: string };

export async function containerRoot(
  { target, hooks }: PipelineSession,
  { built, deployed }: RootOf,
): Promise<ContainerRoot> {
  if (target === null || target.images === null) return { kind: 'root', path: '/' };
  if (!(await runsProcesses(target))) return { kind: 'root', path: '/' };
  return inFolder(built, (await hooks.cluster?.pods(deployed.namespaces)) ?? []);
}

function inFolder({ artifact, reference }: BuiltArtifact, pods: readonly Pod[]): ContainerRoot {
  const { builder } = artifact;
  if (builder.kind !== 'folder') {
    return unknown('on the process runner only the working folder of its image is known');
  }
  const own = workingDirs(pods, reference);
  if (own.length > 1) return unknown('its containers have several working folders');
  const folder = joinPaths('/', own[0] ?? builder.workingDir ?? '');
  const path = relativePath(folder, '/');
  return { kind: 'root', path: path === '' ? '.' : path };
}

function unknown(reason: string): ContainerRoot {
  return { kind: 'unknown', reason };
}

/** Containers are processes in the folder of their image, which keeps what is synced into it. */
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
