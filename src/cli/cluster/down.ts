/**
 * `lifehook down`: stops the cluster's process, and waits until that process has exited. The process stops the
 * cluster's containers.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { besideFolder, Cutter, insideFolder } from '../../../packages/local-cluster/src/index.ts';
import { countText } from '../../model/count-text.ts';
import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable, type ProcessIdentity } from '../../store/process-table.ts';
import { exitCodes } from '../exit-codes.ts';
import type { StopOptions } from '../lifecycle-parts.ts';
import { loadParts, stopParts } from '../lifecycles.ts';
import type { QuietOptions } from '../shared-options.ts';
import { readRunning, stateFolderOf } from './cluster-state.ts';
import { endContainers, hasRunning, writeEnded } from './end-containers.ts';
import { hasState, holdState } from './hold-state.ts';
import { openRuntimes } from './runners.ts';

/**
 * Milliseconds that the cluster's process may take to exit. It gives its containers two seconds between SIGTERM and
 * SIGKILL; the rest is for the journal.
 */
const PATIENCE_MS = 15_000;
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
    process.kill(running.process.pid, 'SIGTERM');
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
 * Only --delete reports a directory with other content. A plain stop ignores it: without state there is no cluster to
 * stop.
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
  const state = await holdState(folder);
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
    await rm(folder, { recursive: true, force: true });
    return ended.length;
  } finally {
    if (existsSync(folder)) await state.release();
  }
}

/** Volume snapshots that are whole subvolumes are read-only: only the program that created them can delete them. */
async function removeCuts(volumes: string): Promise<void> {
  const cutter = new Cutter(nodePlatform);
  for (const place of [besideFolder(volumes), insideFolder(volumes)]) {
    if (!existsSync(place)) continue;
    for (const name of await readdir(place)) await cutter.remove(`${place}/${name}`);
  }
}

/** Resolves when the process has exited: it writes its last log lines after it has reported that it stopped. */
async function waitUntilExited(served: ProcessIdentity): Promise<void> {
  const processes = procTable(nodePlatform.files);
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (!(await processes.isAlive(served))) return;
    await wait(POLL_MS);
  }
  throw new LifehookError({
    code: 'LHA102',
    message: `The cluster's process ${served.pid} has not exited within ${PATIENCE_MS / 1_000} s.`,
    next: `stop it with kill -9 ${served.pid}; the state of the cluster is kept.`,
  });
}
