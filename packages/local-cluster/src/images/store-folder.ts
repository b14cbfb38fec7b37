/**
 * Changes the store's directory: content is created in a temporary directory and renamed atomically; only one process
 * at a time adds and removes names.
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
  /** Absolute; created when it is needed. */
  readonly folder: string;
  /** The architecture of this machine in Go's spelling: "amd64". */
  readonly architecture: string;
  /** Names the running containers of the image with this id, for messages: they keep its content. */
  readonly usersOf: (id: string) => Promise<readonly string[]>;
}

/** Mode of directories inside an image. */
export const FOLDER_MODE = 0o755;
/** Mode of the directories that hold images: other users may not list them. */
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

/** Queues within this process; other processes wait for the lock. */
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

/** Milliseconds. The lock is held only as long as removing an image takes. */
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

/** Does the work in a directory of its own, which is removed with everything that was not renamed away. */
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

/** Removes the remains of killed imports. */
export async function sweep(world: StoreWorld): Promise<void> {
  const root = `${world.folder}/temp`;
  for (const name of await listOrNothing(world, root)) {
    const [pid = '', started = ''] = name.split('@');
    const owner = { pid: Number(pid), started: decodeURIComponent(started) };
    if (await procTable(world.platform.files).isAlive(owner)) continue;
    await world.archives.removeFolder(`${root}/${name}`);
  }
}
