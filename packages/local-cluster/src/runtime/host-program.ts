/**
 * Maps a container of the process runner to this machine: its executable, working directory and volumes.
 *
 * Anything that cannot be mapped is refused with a hint.
 *
 *  directory  workingDir below the image's root directory, else as a directory of this machine, else refused;
 *             without a workingDir the root directory; a container whose image is unknown gets an empty directory of
 *             its own as its root directory
 *  program    a path of this machine, else one below the image's root directory; a name is searched in PATH
 *  mounts     the target must already be the source, or must be a place in the container's own directory, where a
 *             link is created. In a container with an image no link is created: there the target must be relative, and
 *             the program finds the volume by the variable. LIFEHOOK_VOLUME_<NAME> has the path of each volume
 */
import {
  StartError,
  type ContainerSpec,
  type Mount,
} from '../../../../src/platform/container-runtime.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import type { RuntimeWorld } from './runtime-world.ts';

/** The default PATH of container engines. */
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const useOci = 'Use the OCI runner (runc or crun, as root) for this pod';

/**
 * Returns the working directory. `own`: the container's own directory, which replaces the root of an image without one.
 */
export async function findFolder(
  files: Files,
  { image, workingDir }: Pick<ContainerSpec, 'image' | 'workingDir'>,
  own: string,
): Promise<string> {
  const root = image.rootPath ?? own;
  const wanted = workingDir ?? image.config.workingDir;
  if (wanted === null || wanted === '' || wanted === '/') return root;
  const inImage = below(root, wanted);
  if (await isFolder(files, inImage)) return inImage;
  if (wanted.startsWith('/') && (await isFolder(files, wanted))) return wanted;
  throw new StartError(
    'CreateContainerConfigError',
    `The working directory ${JSON.stringify(wanted)} must be a directory of the image ${image.reference} (${inImage}) or of this machine; it is neither. Create it, or correct workingDir. ${useOci} if the image has this directory.`,
  );
}

/** Creates the links that the mounts need; returns the variables with the paths of the volumes. */
export async function honourMounts(
  { platform: { files }, trees }: RuntimeWorld,
  mounts: readonly Mount[],
  own: string | null,
): Promise<Record<string, string>> {
  for (const { name, source, target } of mounts) {
    if (await isSame(files, source, target)) continue;
    const place = ownPlace(own ?? '', target);
    if (place === null || (own === null && target.startsWith('/')))
      throw refusedMount(name, target);
    // All containers of an image share its directory, so no link is created there. Only the variable has the volume's
    // path.
    if (own !== null) await trees.link(source, place);
  }
  return Object.fromEntries(mounts.map(({ name, source }) => [volumeVariable(name), source]));
}

export function volumeVariable(name: string): string {
  return `LIFEHOOK_VOLUME_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

export interface ProgramSearch {
  /** Root directory of the image; null if it has none. */
  readonly rootPath: string | null;
  readonly name: string;
  readonly path: string;
  readonly cwd: string;
}

/** Path of the executable. Rejects with `StartError` and the message of a container engine. */
export async function findProgram(
  files: Files,
  { rootPath, name, path, cwd }: ProgramSearch,
): Promise<string> {
  const candidates = name.includes('/')
    ? [
        name.startsWith('/') ? name : `${cwd}/${name}`,
        ...(rootPath !== null && name.startsWith('/') ? [`${rootPath}${name}`] : []),
      ]
    : path.split(':').map((folder) => `${folder === '' ? cwd : folder}/${name}`);
  let denied = false;
  for (const candidate of candidates) {
    const stat = await files.stat(candidate).catch(() => null);
    if (stat?.kind !== 'file') continue;
    if ((stat.mode & anyExecute) !== 0) return candidate;
    denied = true;
  }
  throw programFailure(name, denied);
}

const anyExecute = 0o111;

function programFailure(name: string, denied: boolean): StartError {
  const what = JSON.stringify(name);
  if (denied) {
    return new StartError(
      'RunContainerError',
      `exec: ${what}: permission denied: give it the x permission`,
      126,
    );
  }
  const where = name.includes('/')
    ? 'no such file or directory'
    : 'executable file not found in $PATH';
  return new StartError(
    'RunContainerError',
    `exec: ${what}: ${where}: the process runner runs programs of this machine and of the image's directory`,
    127,
  );
}

function refusedMount(name: string, target: string): StartError {
  return new StartError(
    'CreateContainerConfigError',
    `The process runner cannot mount the volume ${JSON.stringify(name)} at ${JSON.stringify(target)}: its containers use the file system of this machine. ${useOci}, or set a mountPath without a leading "/" and let the program read the directory's path from $${volumeVariable(name)}.`,
  );
}

/** Path of a mount in the container's own directory; null if it must be elsewhere. */
function ownPlace(own: string, target: string): string | null {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || parts.length === 0) return null;
  if (!target.startsWith('/')) return `${own}/${parts.join('/')}`;
  return target.startsWith(`${own}/`) ? target : null;
}

function below(root: string, path: string): string {
  return path.startsWith('/') ? `${root}${path}` : `${root}/${path}`;
}

async function isSame(files: Files, source: string, target: string): Promise<boolean> {
  if (source === target) return true;
  if (!target.startsWith('/')) return false;
  try {
    return (await files.realPath(source)) === (await files.realPath(target));
  } catch {
    return false;
  }
}

async function isFolder(files: Files, path: string): Promise<boolean> {
  return (await files.stat(path).catch(() => null))?.kind === 'folder';
}
