/**
 * A lock that at most one living process has. The lock is a file `<name>.<n>.lock` in a directory, and names its owner;
 * of the files with one name the highest number counts, and numbers only grow:
 *
 * 1. Read the highest number n. If its owner is alive: refused.
 * 2. Create n + 1. Only one process can; the others get EEXIST and start over.
 * 3. Read again. If there is a higher number than ours, or a lower one whose owner is alive: remove ours and start
 *    over. (A file exists a moment before it contains its owner's name, so in step 1 a new owner may look dead.)
 * 4. Remove the lower ones.
 *
 * Why a dead owner's file is not simply removed and recreated: if two processes saw the same dead owner, the second one
 * could remove the new lock of the first one.
 *
 * Why there are never two owners: let n be taken first, and m later. If m is higher, it was created after n's owner had
 * read and seen no higher number. By then the name was already in n, so the creator of m reads that name in step 3. If
 * m is lower, n existed when m's creator read again.
 */
import { LifehookError } from '../model/problem.ts';
import type { Files } from '../platform/platform.ts';
import { codeOf, unlessMissing } from '../platform/posix-error.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';

/** Maximum number of attempts to take the lock. After that, competing processes are an error. */
const MAX_ROUNDS = 10;

/** The code of the error that another owner has the lock. */
export const LOCK_IN_USE = 'LHE008';

/**
 * Modes of the lock files, by the first word of their names. Every user can read a shared lock: a command that root
 * runs in a user's directory leaves one that the user's next command reads.
 */
const MODES = { writer: 0o600, shared: 0o644 } as const;

export interface WriterLock {
  /** Returns false if the directory was removed or replaced. */
  isHeld(): Promise<boolean>;
  /**
   * Releases the lock. Its file stays, but empty: numbers must grow, and a file can be emptied even on a full disk. A
   * file that another process has created in a new directory of the same name is not changed.
   */
  release(): Promise<void>;
}

export interface LockOptions {
  readonly files: Files;
  readonly folder: string;
  /** First word of the names of the lock files; default: writer. */
  readonly name?: keyof typeof MODES;
  readonly processes: ProcessTable;
}

export async function takeWriterLock(options: LockOptions): Promise<WriterLock> {
  const self = await options.processes.self();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [highest = 0] = await lockNumbers(options);
    const owner = await livingOwner(options, highest);
    if (owner !== null) throw inUse(options, owner);
    const lock = await claim(options, highest + 1, self);
    if (lock !== null) return lock;
  }
  throw inUse(options, null);
}

/** Whether a living process has the lock. Changes nothing. */
export async function isLocked(options: LockOptions): Promise<boolean> {
  const [highest = 0] = (await unlessMissing(lockNumbers(options))) ?? [];
  return (await livingOwner(options, highest)) !== null;
}

/** Steps 2 to 4. null: another process was faster. */
async function claim(
  options: LockOptions,
  mine: number,
  self: ProcessIdentity,
): Promise<WriterLock | null> {
  const lock = lockOf(options, mine, self);
  try {
    if (!(await createLock(options, mine, self))) return null;
    if (await isOurs(options, mine)) {
      await removeLower(options, mine);
      return lock;
    }
    await options.files.remove(pathOf(options, mine));
    return null;
  } catch (error) {
    // The file may name this process, which is alive: no process could take the lock until this one exits.
    await lock.release().catch(() => undefined);
    throw error;
  }
}

/**
 * The lock of this owner. The owner may remove the directory, so a file with this number can belong to another process
 * later.
 */
function lockOf(options: LockOptions, mine: number, self: ProcessIdentity): WriterLock {
  const isHeld = async (): Promise<boolean> => {
    const owner = await readOwner(options, mine);
    return owner?.pid === self.pid && owner.started === self.started;
  };
  return {
    isHeld,
    release: async () => {
      if (await isHeld()) await options.files.truncate(pathOf(options, mine), 0);
    },
  };
}

/** The numbers of all lock files, the highest first. */
async function lockNumbers({ files, folder, name = 'writer' }: LockOptions): Promise<number[]> {
  const numbers = (await files.list(folder)).flatMap((file) => {
    const [, word, number] = /^(\w+)\.(\d+)\.lock$/.exec(file) ?? [];
    return word === name ? [Number(number)] : [];
  });
  return numbers.toSorted((a, b) => b - a);
}

async function livingOwner(options: LockOptions, number: number): Promise<ProcessIdentity | null> {
  const owner = await readOwner(options, number);
  return owner !== null && (await options.processes.isAlive(owner)) ? owner : null;
}

async function readOwner(options: LockOptions, number: number): Promise<ProcessIdentity | null> {
  if (number === 0) return null;
  const text = await unlessMissing(options.files.read(pathOf(options, number)));
  return text === null ? null : parseOwner(text);
}

/**
 * The owner in the text of a lock. null: the lock has no owner, since it was released, was just created, or was
 * truncated by a power failure.
 */
function parseOwner(content: string): ProcessIdentity | null {
  const [, pid, started] = /^pid (\d+) started (\S+)\n$/.exec(content) ?? [];
  return pid === undefined || started === undefined ? null : { pid: Number(pid), started };
}

async function createLock(
  options: LockOptions,
  number: number,
  { pid, started }: ProcessIdentity,
): Promise<boolean> {
  try {
    await options.files.create(
      pathOf(options, number),
      `pid ${pid} started ${started}\n`,
      MODES[options.name ?? 'writer'],
    );
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isOurs(options: LockOptions, mine: number): Promise<boolean> {
  const [highest, ...lower] = await lockNumbers(options);
  if (highest !== mine) return false;
  for (const number of lower) {
    if ((await livingOwner(options, number)) !== null) return false;
  }
  return true;
}

async function removeLower(options: LockOptions, mine: number): Promise<void> {
  for (const number of await lockNumbers(options)) {
    if (number < mine) await options.files.remove(pathOf(options, number));
  }
}

function pathOf({ folder, name = 'writer' }: LockOptions, number: number): string {
  return `${folder}/${name}.${number}.lock`;
}

function inUse({ folder, name }: LockOptions, owner: ProcessIdentity | null): LifehookError {
  if (name === 'shared' && owner !== null) return keptTooLong(folder, owner);
  const who = owner === null ? 'several processes that are starting' : `process ${owner.pid}`;
  return new LifehookError({
    code: LOCK_IN_USE,
    message: `One process at a time writes to ${folder}; it is in use by ${who}.`,
    next: 'Wait until that process has exited, or stop it; then try again.',
  });
}

/** The error about a shared lock. Its owner keeps it only for one change, unless it is paused or its disk hangs. */
function keptTooLong(folder: string, { pid }: ProcessIdentity): LifehookError {
  return new LifehookError({
    code: LOCK_IN_USE,
    message: `One process at a time changes the shared files of ${folder}, which takes milliseconds, but process ${pid} does not release their lock.`,
    next: `If process ${pid} is paused, continue it with kill -CONT ${pid}; otherwise end it. Then try again.`,
  });
}
