/** Stops the containers of a cluster that stops, and records that this stop is not a failure of theirs. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { ContainerRuntime, RunningContainer } from '../../platform/container-runtime.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';

/**
 * Sends SIGTERM to every container, and SIGKILL to those that still run two seconds later. Their records stay.
 * Returns the ids of those that were still running.
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

/** Milliseconds between SIGTERM and SIGKILL: the least that Kubernetes gives a container. */
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

/** Records them for the next start, which starts them without a back-off. */
export async function writeEnded(folder: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await files.replace(join(folder, NAME), JSON.stringify(ids), { mode: MODE });
}

/** Call it once: it deletes the record. */
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
