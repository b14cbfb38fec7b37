/** Finds the source of each mount of a container. */
import type { Container } from 'kubernetes-types/core/v1.js';

import { type Mount, StartError } from '../../../../src/platform/container-runtime.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { expand } from './env.ts';
import type { MountedVolume } from './volumes/pod-volumes.ts';

export interface MountFacts {
  readonly container: Container;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  readonly env: Readonly<Record<string, string>>;
}

type VolumeMount = NonNullable<Container['volumeMounts']>[number];

/** Mounts of parent directories come first: a later mount of a parent would hide those below it. */
export async function containerMounts(files: Files, facts: MountFacts): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const wish of facts.container.volumeMounts ?? []) {
    mounts.push(await mountOf(files, wish, facts));
  }
  return mounts.toSorted((one, other) => depthOf(one.target) - depthOf(other.target));
}

async function mountOf(
  files: Files,
  wish: VolumeMount,
  { volumes, env }: MountFacts,
): Promise<Mount> {
  const { name, mountPath: target, readOnly = false } = wish;
  const volume = volumes.get(name);
  if (volume === undefined) throw configError(`cannot find volume "${name}" to mount`);
  const below = subPathOf(wish, env);
  const source = below === '' ? volume.path : `${volume.path}/${below}`;
  if (below !== '') await checkSubPath(files, { source, volume, name, below });
  return { name, source, target, readOnly: readOnly || volume.readOnly };
}

function subPathOf(
  { name, subPath = '', subPathExpr }: VolumeMount,
  env: Readonly<Record<string, string>>,
): string {
  const below = subPathExpr === undefined ? subPath : expand(subPathExpr, env);
  if (!below.startsWith('/') && !below.split('/').includes('..')) return below;
  throw configError(`subPath of volume "${name}" must be relative, without "..": ${below}`);
}

interface SubPath {
  readonly source: string;
  readonly volume: MountedVolume;
  readonly name: string;
  readonly below: string;
}

/**
 * Creates a missing subPath if the volume permits it. A link must not lead out of the volume: another container may
 * have created it.
 */
async function checkSubPath(files: Files, { source, volume, name, below }: SubPath): Promise<void> {
  const root = await files.realPath(volume.path);
  let real = await realPathOrNothing(files, source);
  if (real === null && volume.growable) {
    await checkParents(files, { source, volume, name, below });
    // The new directory has the mode of the volume.
    await files.makeFolder(source, (await files.stat(root)).mode);
    real = await realPathOrNothing(files, source);
  }
  if (real === null) throw configError(`volume "${name}" has no "${below}" for a subPath`);
  if (real !== root && !real.startsWith(`${root}/`)) throw leadsOut(name, below);
}

/** Refuses to create a directory if the nearest existing parent is outside of the volume. */
async function checkParents(files: Files, { source, volume, name, below }: SubPath): Promise<void> {
  const root = await files.realPath(volume.path);
  for (let folder = source; folder !== volume.path;) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const real = await realPathOrNothing(files, folder);
    if (real === null) continue;
    if (real !== root && !real.startsWith(`${root}/`)) throw leadsOut(name, below);
    return;
  }
}

function leadsOut(name: string, below: string): StartError {
  return configError(`subPath "${below}" leads out of volume "${name}"`);
}

async function realPathOrNothing(files: Files, path: string): Promise<string | null> {
  try {
    return await files.realPath(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function depthOf(path: string): number {
  return path.split('/').filter((part) => part !== '').length;
}

function configError(message: string): StartError {
  return new StartError('CreateContainerConfigError', message);
}
