/** What a running cluster leaves in its folder, so that other commands find it. */
import { join } from 'node:path';

import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { procTable, type ProcessIdentity } from '../../store/process-table.ts';

export interface RunningCluster {
  readonly process: ProcessIdentity;
  readonly server: string;
  readonly kubeconfig: string;
  readonly startedAt: string;
  /** "http://127.0.0.1:40001"; absent: it could not be served. */
  readonly timeline?: string;
}

const { files } = nodePlatform;
const NAME = 'up.json';
const MODE = 0o600;

export async function writeRunning(
  folder: string,
  running: Omit<RunningCluster, 'process'>,
): Promise<void> {
  const self = await procTable(files).self();
  const text = JSON.stringify({ process: self, ...running }, null, 2);
  await files.replace(join(folder, NAME), `${text}\n`, { mode: MODE });
}

export async function removeRunning(folder: string): Promise<void> {
  await files.remove(join(folder, NAME));
}

/** null: it does not run; what a killed one has left does not count. */
export async function readRunning(folder: string): Promise<RunningCluster | null> {
  try {
    // Written by `writeRunning`, whole or not at all.
    const running = JSON.parse(await files.read(join(folder, NAME))) as RunningCluster;
    return (await procTable(files).isAlive(running.process)) ? running : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
