/** Creates, locks and deletes the directories of containers. For readers, a creation and a deletion are atomic. */
import { LifehookError } from '../../../model/problem.ts';
import { codeOf, unlessMissing } from '../../../platform/posix-error.ts';
import { FOLDER_MODE, readPart, type ContainerFolder, notFound } from './container-folder.ts';
import { isInUse, waitForWriterLock } from '../../../store/wait-for-lock.ts';
import { isLocked, type WriterLock } from '../../../store/writer-lock.ts';
import type { SupervisorReport } from '../../../supervisor/records.ts';
import type { Life } from './life.ts';
import { procTable } from '../../../store/process-table.ts';

/**
 * Locks the directory of an unused id, and does the work in it. If no container is created, the
 * directory is removed. Throws a LifehookError if the id is in use.
 */
export async function claimFolder<T>(
  life: Life,
  folder: ContainerFolder,
  work: () => Promise<T>,
): Promise<T> {
  await removeDoomed(life);
  const lock = await makeAndLock(life, folder);
  try {
    return await fillFolder({ life, folder, lock }, work);
  } finally {
    await lock.release();
  }
}

/** Retries if the directory was deleted between its creation and its locking. */
async function makeAndLock(life: Life, folder: ContainerFolder): Promise<WriterLock> {
  for (;;) {
    await folder.files.makeFolder(folder.path, FOLDER_MODE);
    const lock = await takeLock(life, folder);
    if (lock !== null) return lock;
  }
}

interface Claim {
  readonly life: Life;
  readonly folder: ContainerFolder;
  readonly lock: WriterLock;
}

async function fillFolder<T>({ life, folder, lock }: Claim, work: () => Promise<T>): Promise<T> {
  if ((await readPart(folder, 'container')) !== null) throw taken(folder);
  await clear(folder);
  try {
    return await work();
  } finally {
    const isEmpty = (await readPart(folder, 'container')) === null;
    // A tear-down may have deleted the directory. A directory with its name then belongs to another command.
    if (isEmpty && (await lock.isHeld())) await removeFolder(life, folder);
  }
}

/** Removes the remains of a create that was killed before there was a container. */
async function clear({ path, files }: ContainerFolder): Promise<void> {
  for (const name of await files.list(path)) {
    if (!name.endsWith('.lock')) await files.remove(`${path}/${name}`);
  }
}

/** No id starts with a dot, so it is never taken for a container. */
const doomedPrefix = '.deleted-';

/** Removes the directory, so that the supervisor cannot report any more. Returns the supervisor's last report. */
export async function removeFolder(
  { root, platform }: Life,
  { path, files }: ContainerFolder,
): Promise<SupervisorReport | null> {
  const id = path.slice(path.lastIndexOf('/') + 1);
  const doomed = `${root}/${doomedPrefix}${platform.clock.nowMs()}-${id}`;
  try {
    await files.rename(path, doomed);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const report = await readPart({ files, path: doomed }, 'report');
  await files.remove(doomed);
  return report;
}

/**
 * Finishes removals of killed commands: deletes the directories that these commands had renamed. A living command still
 * has the lock in its directory, and reads the report there.
 */
async function removeDoomed({ root, platform: { files } }: Life): Promise<void> {
  const processes = procTable(files);
  for (const name of (await unlessMissing(files.list(root))) ?? []) {
    if (!name.startsWith(doomedPrefix)) continue;
    const folder = `${root}/${name}`;
    if (!(await isLocked({ files, folder, processes }))) await files.remove(folder);
  }
}

/** The ids that have a directory. */
export async function listIds({ root, platform: { files } }: Life): Promise<string[]> {
  const names = (await unlessMissing(files.list(root))) ?? [];
  return names.filter((name) => !name.startsWith('.')).toSorted();
}

function taken({ path }: ContainerFolder): LifehookError {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return new LifehookError({
    code: 'LHC212',
    message: `There is a container ${id} already; a new container needs an unused id.`,
    next: `Choose another id, or run \`lifehook oci delete ${id}\` first.`,
  });
}

/** Milliseconds that a second command waits for the first one. */
const LOCK_WAIT_MS = 3_000;

/**
 * Does the work with the container's lock: only one command at a time changes a container. A second one waits for
 * LOCK_WAIT_MS, and then reports the holder of the lock. Reading the state and sending a signal need no lock: a hanging
 * hook must prevent neither of them. Throws a LifehookError if the container does not exist, or another command keeps
 * the lock.
 */
export async function withLock<T>(
  life: Life,
  folder: ContainerFolder,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeLock(life, folder);
  if (lock === null) throw notFound(life, folder);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** null: the directory does not exist, or was deleted while waiting for the lock. */
function takeLock(life: Life, folder: ContainerFolder): Promise<WriterLock | null> {
  return unlessMissing(waitForLock(life, folder));
}

async function waitForLock(life: Life, { path, files }: ContainerFolder): Promise<WriterLock> {
  const { clock, timers } = life.platform;
  const options = { files, folder: path, processes: procTable(files), clock, timers };
  try {
    return await waitForWriterLock({ ...options, waitMs: LOCK_WAIT_MS });
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw busy(path, error.problems[0]?.message ?? '', error);
  }
}

function busy(path: string, why: string, cause: unknown): LifehookError {
  return new LifehookError(
    {
      code: 'LHC213',
      message: `Another command is changing the container in ${path}, and has not exited after ${LOCK_WAIT_MS / 1_000} s. ${why}`,
      next: 'Wait until that command has exited, or stop it; then try again.',
    },
    { cause },
  );
}
