/**
 * Whether a directory is one that a local cluster keeps its state in. `lifehook down --delete` removes such a directory
 * with everything in it, so that no command may make one of a directory that has a user's files.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { LifehookError } from '../../model/problem.ts';
import { codeOf } from '../../platform/posix-error.ts';

/** Names that a cluster gives, among them what it makes first. */
const MARK = /^(up\.log|address-range|writer\.\d+\.lock)$/;
/** In a new file system. */
const OF_THE_FILE_SYSTEM = 'lost+found';

/** False: there is nothing in it, or no such directory. Rejects with LHA110 where it has other files. */
export async function hasState(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  if (names.some((name) => MARK.test(name))) return true;
  // Images may be imported before the first start.
  if ((await namesIn(join(folder, 'images'))).some((name) => MARK.test(name))) return true;
  if (names.every((name) => name === OF_THE_FILE_SYSTEM)) return false;
  throw new LifehookError({
    code: 'LHA110',
    severity: 'error',
    message: `${folder} has files, and none of a local cluster.`,
    next: 'name an empty directory, or one that does not exist, with --state-dir.',
  });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
