/** A container's root file system: an overlay of the image's directory and a layer for the container's writes. */
import { decodeUtf8 } from '../../../../src/platform/byte-text.ts';
import { StartError, type LocalImage } from '../../../../src/platform/container-runtime.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import { runProgram } from './run-program.ts';
import { FOLDER_MODE, type RuntimeWorld } from './runtime-world.ts';

const toolTimeoutMs = 30_000;
const rootMode = 0o755;

export function rootOf(folder: string): string {
  return `${folder}/rootfs`;
}

export async function mountRoot(
  world: RuntimeWorld,
  { reference, rootPath }: LocalImage,
  folder: string,
): Promise<void> {
  if (rootPath === null) {
    throw new StartError(
      'ErrImageNeverPull',
      `Container image ${JSON.stringify(reference)} is not present here: run "lifehook image import PATH ${reference}" first.`,
    );
  }
  const { files } = world.platform;
  const [upper, work, root] = [`${folder}/upper`, `${folder}/work`, rootOf(folder)];
  for (const path of [upper, root]) await files.makeFolder(path, rootMode);
  await files.makeFolder(work, FOLDER_MODE);
  const options = `lowerdir=${rootPath},upperdir=${upper},workdir=${work}`;
  // The kernel treats these characters as separators in mount options.
  if (/[,:\\]/.test(`${rootPath}${folder}`)) {
    throw new StartError(
      'CreateContainerError',
      `An overlay needs directories without ",", ":" and "\\" in their paths; received ${rootPath} and ${folder}. Move the image or the state directory.`,
    );
  }
  const command = ['mount', '-t', 'overlay', 'overlay', '-o', options, root];
  await mustRun(world, command);
}

/** Unmounts the root. An overlay that is not mounted, for example after a reboot, is not an error. */
export async function unmountRoot(world: RuntimeWorld, folder: string): Promise<void> {
  const root = rootOf(folder);
  if (!(await isMounted(world.platform.files, root))) return;
  await mustRun(world, ['umount', '--lazy', root]);
}

async function mustRun({ platform }: RuntimeWorld, command: readonly string[]): Promise<void> {
  const end = await runProgram(platform, command, toolTimeoutMs);
  if (end.kind === 'ended' && end.code === 0) return;
  throw new StartError('CreateContainerError', `"${command.join(' ')}" failed: ${end.message}`);
}

/** Reads mountinfo as in proc(5): the fifth field is the mount point, in which some characters are escaped. */
async function isMounted(files: Files, path: string): Promise<boolean> {
  const escaped = path.replaceAll(
    /[ \t\n\\]/g,
    (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  const lines = (await readMounts(files)).split('\n');
  return lines.some((line) => line.split(' ')[4] === escaped);
}

/** Reads the mounts of this machine. A machine without this file has no overlays either. */
async function readMounts(files: Files): Promise<string> {
  try {
    return decodeUtf8(await files.read('/proc/self/mountinfo'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
