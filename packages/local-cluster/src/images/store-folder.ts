/**
 * Changes the directory of the image store.
 *
 * Content is written to a temporary directory and renamed atomically. Only one process at a time adds or removes names.
 *
 *   images/ID/           image.json, root/
 *   references/NAME.json the image that a name refers to
 *   temp/PROCESS-N/      a pending import
 */
import { LifehookError } from '../../../../src/model/problem.ts';
import type { Archives } from '../../../../src/platform/archives.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import { procTable } from '../../../../src/store/process-table.ts';
import { takeWriterLock, type WriterLock } from '../../../../src/store/writer-lock.ts';

export interface StoreWorld {
  readonly platform: Platform;
  readonly archives: Archives;
  /** Absolute path of the store; it is created when needed. */
  readonly folder: string;
  /** Architecture of this machine as Go spells it, such as "amd64". */
  readonly architecture: string;
  /**
   * Lists the running containers of an image by its id, as names for messages. The content of an image with containers
   * is kept.
   */
  readonly usersOf: (id: string) => Promise<readonly string[]>;
}

/** Mode of directories inside an image. */
export const FOLDER_MODE = 0o755;
/** Mode of the store's directories: other users cannot list them. */
export const STORE_MODE = 0o700;
export const FILE_MODE = 0o644;
const privateMode = 0o700;

export async function listOrNothing({ platform }: StoreWorld, path: string): Promise<string[]> {
  try {
    return await platform.files.list(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Pending work on each store in this process. Other processes wait for the lock. */
const queues = new Map<string, Promise<unknown>>();

export async function alone<T>(world: StoreWorld, work: () => Promise<T>): Promise<T> {
  const { folder } = world;
  const before = queues.get(folder) ?? Promise.resolve();
  const mine = before.then(() => locked(world, work));
  const settled = mine.catch(() => undefined);
  queues.set(folder, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(folder) === settled) queues.delete(folder);
  }
}

async function locked<T>(world: StoreWorld, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(world);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Milliseconds to wait for the lock. A process holds it at most as long as the removal of an image takes. */
const LOCK_WAIT_MS = 30_000;
const lockPollMs = 25;

async function waitForLock({ platform, folder }: StoreWorld): Promise<WriterLock> {
  const { files, clock, timers } = platform;
  await files.makeFolder(folder, STORE_MODE);
  const giveUpAtMs = clock.monotonicMs() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await takeWriterLock({ files, folder, processes: procTable(files) });
    } catch (error) {
      const [problem] = error instanceof LifehookError ? error.problems : [];
      if (problem?.code !== 'LHE008' || clock.monotonicMs() >= giveUpAtMs) throw error;
    }
    await sleep(timers, lockPollMs);
  }
}

let temporaries = 0;

/**
 * Runs `work` with a temporary directory, and removes the directory afterwards. Content that `work` renamed elsewhere
 * stays.
 */
export async function inTemporary<T>(
  world: StoreWorld,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { files } = world.platform;
  const self = await procTable(files).self();
  temporaries += 1;
  const name = [self.pid, encodeURIComponent(self.started), temporaries].join('@');
  const folder = `${world.folder}/temp/${name}`;
  await files.makeFolder(folder, privateMode);
  try {
    return await work(folder);
  } finally {
    await world.archives.removeFolder(folder);
  }
}

/** Removes temporary directories of processes that were killed during an import. */
export async function sweep(world: StoreWorld): Promise<void> {
  const root = `${world.folder}/temp`;
  for (const name of await listOrNothing(world, root)) {
    const [pid = '', started = ''] = name.split('@');
    const owner = { pid: Number(pid), started: decodeURIComponent(started) };
    if (await procTable(world.platform.files).isAlive(owner)) continue;
    await world.archives.removeFolder(`${root}/${name}`);
  }
}
