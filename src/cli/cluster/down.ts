/**
 * `lifehook down`: stops the cluster's process, and waits until that process has exited. The process stops the
 * cluster's containers; if it was killed before, this command stops them.
 */
import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { besideFolder, Cutter, insideFolder } from '../../../packages/local-cluster/src/index.ts';
import { countText } from '../../model/count-text.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import type { ProcessIdentity } from '../../store/process-table.ts';
import type { WriterLock } from '../../store/writer-lock.ts';
import { exitCodes } from '../exit-codes.ts';
import type { StopOptions } from '../lifecycle-parts.ts';
import { loadParts, stopParts } from '../lifecycles.ts';
import type { QuietOptions } from '../shared-options.ts';
import { PATIENCE_MS, waitUntilExited } from './await-exit.ts';
import { readRunning, stateFolderOf } from './cluster-state.ts';
import { endContainers, hasRunning, writeEnded } from './end-containers.ts';
import { hasState, holdState, isStateInUse } from './hold-state.ts';
import { openRuntimes } from './runners.ts';

const POLL_MS = 20;

export interface DownOptions extends StopOptions, QuietOptions {
  /** True: delete the whole state directory. */
  readonly delete?: boolean;
}

export async function runDown(options: DownOptions): Promise<number> {
  const folder = stateFolderOf(options);
  const running = await readRunning(folder);
  if (running !== null) {
    for (const part of await loadParts(stopParts)) await part.beforeStop(running, options);
    terminate(running.process);
    await waitUntilExited(running.process);
  }
  const ended = (await hasStateOf(folder, options))
    ? await endRest(folder, { ...options, wasUp: running !== null })
    : 0;
  if (options.quiet === true) return exitCodes.done;
  process.stdout.write(`${wordsOf(options.cluster, running !== null, ended)}\n`);
  if (options.delete === true) {
    process.stdout.write(`Everything that it stored in ${folder} is removed.\n`);
  }
  return exitCodes.done;
}

/**
 * True: the directory has a cluster's state. A directory with other content is an error only for `--delete`; for a
 * plain stop, it has no cluster to stop.
 */
async function hasStateOf(folder: string, { delete: forGood }: DownOptions): Promise<boolean> {
  try {
    return await hasState(folder);
  } catch (error) {
    if (forGood === true) throw error;
    return false;
  }
}

function wordsOf(cluster: string, wasUp: boolean, ended: number): string {
  if (wasUp) return `The cluster "${cluster}" is down.`;
  if (ended === 0) return `The cluster "${cluster}" is not up.`;
  return `The cluster "${cluster}" is not up; stopped ${countText(ended, 'leftover container')}.`;
}

/** Stops containers that a killed cluster left running. Returns the number of them. */
async function endRest(
  folder: string,
  { wasUp, delete: forGood = false, ...options }: DownOptions & { readonly wasUp: boolean },
): Promise<number> {
  const state = await holdForStop(folder, wasUp);
  try {
    const runtimes = await openRuntimes(folder, 'auto');
    if (!wasUp && (forGood || (await hasRunning(runtimes)))) {
      for (const part of await loadParts(stopParts)) await part.refuseStop(folder, options);
    }
    const ended = await endContainers(runtimes);
    if (!forGood) {
      await writeEnded(folder, ended);
      return ended.length;
    }
    // The root directories of containers may be mounts, which `rm` cannot delete.
    for (const runtime of new Set(runtimes.values())) {
      for (const container of await runtime.list()) await container.remove();
    }
    await removeCuts(`${folder}/volumes`);
    await removeState(folder);
    return ended.length;
  } finally {
    if (existsSync(folder)) await state.release();
  }
}

/**
 * Removes a state directory that this process has locked. The lock is removed last: a `lifehook up` waits for it, and
 * would otherwise start in the rest of the directory. If an `up` has begun in the empty directory, its files stay.
 */
export async function removeState(folder: string): Promise<void> {
  const names = await readdir(folder);
  const locks = names.filter((name) => LOCK.test(name));
  for (const name of [...names.filter((one) => !locks.includes(one)), ...locks]) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  try {
    await rmdir(folder);
  } catch (error) {
    // A symbolic link to the directory.
    if (codeOf(error) === 'ENOTDIR') await rm(folder);
    else if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'ENOENT') throw error;
  }
}

const LOCK = /^writer\.\d+\.lock$/;

/**
 * Locks the state directory. If the cluster was up, waits for another `lifehook down` of it, which locks the directory
 * for a moment too.
 */
export async function holdForStop(folder: string, wasUp: boolean): Promise<WriterLock> {
  const patienceMs = wasUp ? PATIENCE_MS : 0;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += POLL_MS) {
    try {
      return await holdState(folder);
    } catch (error) {
      if (!isStateInUse(error)) throw error;
    }
    await wait(POLL_MS);
  }
  return holdState(folder);
}

/**
 * Removes the volume snapshots. Those that are whole subvolumes are read-only: only the program that created them can
 * delete them.
 */
async function removeCuts(volumes: string): Promise<void> {
  const cutter = new Cutter(nodePlatform);
  for (const place of [besideFolder(volumes), insideFolder(volumes)]) {
    if (!existsSync(place)) continue;
    for (const name of await readdir(place)) await cutter.remove(`${place}/${name}`);
  }
}

/** Sends SIGTERM, unless the process has exited meanwhile, for example because of another `lifehook down`. */
export function terminate({ pid }: Pick<ProcessIdentity, 'pid'>): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
