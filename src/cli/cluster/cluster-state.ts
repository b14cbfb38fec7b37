/** The state directory of a local cluster, and the file by which other commands find a running cluster. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { type ProcessIdentity, procTable } from '../../store/process-table.ts';
import type { ClusterChoice } from './up-command.ts';

export interface RunningCluster {
  readonly process: ProcessIdentity;
  readonly server: string;
  readonly kubeconfig: string;
  readonly startedAt: string;
  /** Example: "http://127.0.0.1:40001"; absent: the timeline could not be served. */
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

/** null: the cluster does not run. The file of a killed cluster is ignored. */
export async function readRunning(folder: string): Promise<RunningCluster | null> {
  try {
    // `writeRunning` replaces the file atomically, so that its content is always complete.
    const running = JSON.parse(await files.read(join(folder, NAME))) as RunningCluster;
    return (await procTable(files).isAlive(running.process)) ? running : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** The directory with all files of a local cluster. */
export function stateFolderOf({ cluster, stateDir }: ClusterChoice): string {
  // An absolute path, because the supervisors of its containers have other working directories.
  if (stateDir !== undefined) return resolve(stateDir);
  const home = stateHome();
  if (home === null) throw noStateHome();
  return join(home, 'lifehook', cluster);
}

/**
 * The directory of this user's local clusters, except those with `--state-dir`; null: the user has no home directory.
 */
export function usualStateFolder(): string | null {
  const home = stateHome();
  return home === null ? null : join(home, 'lifehook');
}

function stateHome(): string | null {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  if (given !== '') return given;
  const home = homeFolder();
  return home === '' ? null : join(home, '.local', 'state');
}

/** '': HOME is unset, and the user has no passwd entry. This is so in containers that run under an arbitrary uid. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

function noStateHome(): LifehookError {
  return new LifehookError({
    code: 'LHA108',
    message:
      'Cannot choose the state directory of the local cluster: HOME is unset or empty, and the user has no home directory.',
    next: 'Set HOME or XDG_STATE_HOME, or name a directory with --state-dir.',
  });
}
