/** Finds volumes that are a directory or a file of this machine: hostPath, and the volumes of claims. */
import type { PersistentVolume, Volume } from 'kubernetes-types/core/v1.js';

import { isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../../../../src/kube/resources.ts';
import { StartError } from '../../../../../src/platform/container-runtime.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../../src/platform/platform.ts';

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
/** Mode of a claim's directory: every user in the pod may write. */
export const SHARED_MODE = 0o777;

/**
 * Returns the path of a hostPath volume after checking its type. Without a type, a missing path is created as a
 * directory, as container runtimes do.
 */
export async function hostPath(
  { path, type = '' }: NonNullable<Volume['hostPath']>,
  files: Files,
): Promise<string> {
  if (type === '' || type.endsWith('OrCreate')) await createMissing(path, type, files);
  if (type === '') return path;
  const kind = await kindOf(path, files);
  const wanted = type.replace('OrCreate', '') === 'Directory' ? 'folder' : 'file';
  const isSpecial = !type.startsWith('Directory') && !type.startsWith('File');
  if (isSpecial ? kind === 'other' : kind === wanted) return path;
  throw new StartError(
    'FailedMount',
    `hostPath type check failed: ${path} is not a ${type.replace('OrCreate', '')}`,
  );
}

async function createMissing(path: string, type: string, files: Files): Promise<void> {
  if ((await kindOf(path, files)) !== 'nothing') return;
  await refuseKernelPaths(path, files);
  try {
    if (type === 'FileOrCreate') await files.create(path, '', FILE_MODE);
    else await files.makeFolder(path, FOLDER_MODE);
  } catch (error) {
    const message = `hostPath ${path} cannot be created: ${errorText(error)}`;
    throw new StartError('FailedMount', message);
  }
}

/** Refuses paths in /proc and /sys. Only the kernel creates directories there, and Node's mkdir would retry forever. */
async function refuseKernelPaths(path: string, files: Files): Promise<void> {
  let folder = path;
  while (folder !== '' && (await kindOf(folder, files)) === 'nothing') {
    folder = folder.slice(0, folder.lastIndexOf('/'));
  }
  const real = await files.realPath(folder === '' ? '/' : folder);
  if (!/^\/(proc|sys)(\/|$)/.test(real)) return;
  const message = `hostPath ${path} cannot be created: ${real} is in a file system of the kernel`;
  throw new StartError('FailedMount', message);
}

async function kindOf(path: string, files: Files): Promise<string> {
  try {
    return (await files.stat(path)).kind;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return 'nothing';
    throw error;
  }
}

export interface ClaimLooking {
  readonly files: Files;
  readonly client: KubeClient;
  readonly namespace: string;
}

export interface ClaimVolume {
  readonly path: string;
  readonly readOnly: boolean;
}

export async function claimVolume(
  { claimName: name, readOnly = false }: NonNullable<Volume['persistentVolumeClaim']>,
  looking: ClaimLooking,
): Promise<ClaimVolume> {
  const { files, client } = looking;
  const volumeName = await boundVolume(name, looking);
  const volume = await findVolume(client, volumeName);
  const path = pathOf(volume);
  if (path === null) {
    const message = `the volume ${volumeName} of claim "${name}" is neither hostPath, local nor of the local snapshotter`;
    throw new StartError('FailedMount', message);
  }
  await files.makeFolder(path, SHARED_MODE);
  return { path, readOnly };
}

async function findVolume(client: KubeClient, name: string): Promise<PersistentVolume> {
  try {
    return await client.get(persistentVolumes, { name });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    throw new StartError('FailedMount', `persistentvolume "${name}" not found`);
  }
}

/**
 * Path of a volume on this machine; null if it has none. Volumes of the local snapshotter have it in their
 * volumeAttributes.
 */
function pathOf({ spec }: PersistentVolume): string | null {
  const { hostPath: onHost, local, csi } = spec ?? {};
  return onHost?.path ?? local?.path ?? csi?.volumeAttributes?.['path'] ?? null;
}

async function boundVolume(
  name: string,
  { client, namespace }: Pick<ClaimLooking, 'client' | 'namespace'>,
): Promise<string> {
  try {
    const claim = await client.get(persistentVolumeClaims, { namespace, name });
    const volume = claim.status?.phase === 'Bound' ? claim.spec?.volumeName : undefined;
    if (volume !== undefined) return volume;
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    const message = `persistentvolumeclaim "${name}" not found`;
    throw new StartError('FailedMount', message);
  }
  throw new StartError('FailedMount', `persistentvolumeclaim "${name}" is not bound yet`);
}
