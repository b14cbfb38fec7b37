/**
 * Stops the containers of a cluster that is stopping, and records which ones it stopped: their exits are not failures.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { ContainerRuntime, RunningContainer } from '../../platform/container-runtime.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';

/**
 * Sends SIGTERM to every container, and two seconds later SIGKILL to those that still run. Keeps their records. Returns
 * the ids of the containers that were running at the call.
 */
export async function endContainers(
  runtimes: ReadonlyMap<string, ContainerRuntime>,
): Promise<readonly string[]> {
  const running = await runningIn(runtimes);
  await Promise.all(running.map((container) => endOne(container)));
  return running.map(({ id }) => id);
}

export async function hasRunning(
  runtimes: ReadonlyMap<string, ContainerRuntime>,
): Promise<boolean> {
  return (await runningIn(runtimes)).length > 0;
}

async function runningIn(
  runtimes: ReadonlyMap<string, ContainerRuntime>,
): Promise<readonly RunningContainer[]> {
  const all = await Promise.all([...new Set(runtimes.values())].map((runtime) => runtime.list()));
  return all.flat().filter(({ end }) => end === null);
}

/** Milliseconds between SIGTERM and SIGKILL, as short as the shortest time that the kubelet leaves between them. */
const TERM_MS = 2_000;

async function endOne(container: RunningContainer): Promise<void> {
  await container.signal('SIGTERM');
  await Promise.race([container.ended, wait(TERM_MS, null, { ref: false })]);
  await container.kill();
  await container.ended;
}

const { files } = nodePlatform;
const NAME = 'ended.json';
const MODE = 0o600;

/** Records the ids of stopped containers. The next start of the cluster starts them without a back-off. */
export async function writeEnded(folder: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await files.replace(join(folder, NAME), JSON.stringify(ids), { mode: MODE });
}

/** Reads and deletes the record of `writeEnded`: call it once. */
export async function takeEnded(folder: string): Promise<ReadonlySet<string>> {
  const path = join(folder, NAME);
  try {
    const ids = new Set(JSON.parse(await files.read(path)) as readonly string[]);
    await files.remove(path);
    return ids;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Set();
    throw error;
  }
}
