/** Locks a cluster's state directory: at most one process owns it with everything in it, containers included. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { LifehookError } from '../../model/problem.ts';
import { errorText } from '../../platform/error-text.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { procTable } from '../../store/process-table.ts';
import { isInUse } from '../../store/wait-for-lock.ts';
import { takeWriterLock, type WriterLock } from '../../store/writer-lock.ts';
import { systemAdvice } from '../system-advice.ts';

const { files } = nodePlatform;
const FOLDER_MODE = 0o700;
export const STATE_IN_USE = 'LHA105';

/** Creates the state directory. Rejects if the directory has files of other programs. */
export async function makeStateFolder(folder: string): Promise<void> {
  try {
    await files.makeFolder(folder, FOLDER_MODE);
  } catch (error) {
    throw notWritable(folder, error);
  }
  await hasState(folder);
}

/** Rejects with `STATE_IN_USE` while another process has locked the directory. */
export async function holdState(folder: string): Promise<WriterLock> {
  try {
    return await takeWriterLock({ files, folder, processes: procTable(files) });
  } catch (error) {
    if (!(error instanceof LifehookError)) throw notWritable(folder, error);
    if (!isInUse(error)) throw error;
    throw new LifehookError(
      {
        code: STATE_IN_USE,
        message: `Another process is starting, running or removing the cluster in ${folder}.`,
        next: 'check with `lifehook status`, or wait until that process has exited.',
      },
      { cause: error },
    );
  }
}

export function isStateInUse(error: unknown): boolean {
  return error instanceof LifehookError && error.problems[0]?.code === STATE_IN_USE;
}

export function notWritable(folder: string, error: unknown): LifehookError {
  const why = errorText(error);
  const other = NO_FOLDER.has(codeOf(error) ?? '')
    ? 'name a directory with --state-dir.'
    : 'make that directory writable, or choose another one with --state-dir.';
  return new LifehookError(
    {
      code: 'LHA106',
      message: `The cluster keeps its state in ${folder}, which cannot be written: ${why}.`,
      next: systemAdvice(error) ?? other,
    },
    { cause: error },
  );
}

/** Codes of a path that is, or leads through, something else than a directory. */
const NO_FOLDER: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR']);

/** Names of some files that a cluster creates. They include the first files of every cluster. */
const MARK = /^(up\.log|address-range|writer\.\d+\.lock)$/;
/** Ignored, because every new file system has this directory. */
const OF_THE_FILE_SYSTEM = 'lost+found';

/**
 * True: a local cluster keeps its state in this directory. False: the directory is empty or does not exist. Rejects
 * with LHA110 if it has other files. A directory with a user's files must never become a state directory, because
 * `lifehook down --delete` deletes everything in a state directory.
 */
export async function hasState(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  if (names.some((name) => MARK.test(name))) return true;
  // If images were imported before the first start, only `images` has such a file.
  if ((await namesIn(join(folder, 'images'))).some((name) => MARK.test(name))) return true;
  if (names.every((name) => name === OF_THE_FILE_SYSTEM)) return false;
  throw new LifehookError({
    code: 'LHA110',
    message: `${folder} is not empty, and has no state of a local cluster.`,
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
