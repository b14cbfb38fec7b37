/**
 * How the store's folder is changed: everything is made in a temporary folder and appears under its name
 * at one stroke; names are given and taken by one process at a time.
 *
 *   images/ID/           image.json, root/
 *   references/NAME.json which image a name means
 *   temp/PROCESS-N/      an import that is under way
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
  /** Absolute; made when it is needed. */
  readonly folder: string;
  /** Of this machine, as Go has it: "amd64". */
  readonly architecture: string;
  /** Containers that run of the image with this id, for people: its content stays while there are any. */
  readonly usersOf: (id: string) => Promise<readonly string[]>;
}

/** Of what an image holds. */
export const FOLDER_MODE = 0o755;
/** Of the folders that hold images: which there are is nobody else's business. */
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

/** In this process; other processes meet at the lock. */
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

/** Nobody holds it for longer than it takes to remove an image. */
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

/** Does the work in a folder of its own, of which nothing stays but what was renamed away. */
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

/** What imports left that were killed. */
export async function sweep(world: StoreWorld): Promise<void> {
  const root = `${world.folder}/temp`;
  for (const name of await listOrNothing(world, root)) {
    const [pid = '', started = ''] = name.split('@');
    const owner = { pid: Number(pid), started: decodeURIComponent(started) };
    if (await procTable(world.platform.files).isAlive(owner)) continue;
    await world.archives.removeFolder(`${root}/${name}`);
  }
}
