/** The state directory of a local cluster, and the file by which other commands find a running cluster. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

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
  /** True: the process is stopping the cluster, and exits when its containers have exited. */
  readonly isStopping?: true;
}

const { files } = nodePlatform;
const NAME = 'up.json';
const MODE = 0o600;

export async function writeRunning(
  folder: string,
  running: Omit<RunningCluster, 'process'>,
): Promise<void> {
  await replaceFile(folder, { process: await procTable(files).self(), ...running });
}

/** Records that the cluster is stopping, so that `lifehook up` waits for its end. Never rejects. */
export async function markStopping(folder: string): Promise<void> {
  try {
    const running = await readFileOf(folder);
    if (running !== null) await replaceFile(folder, { ...running, isStopping: true });
  } catch {
    // The disk is full, for example: the cluster is stopped all the same.
  }
}

async function replaceFile(folder: string, running: RunningCluster): Promise<void> {
  const text = `${JSON.stringify(running, null, 2)}\n`;
  await files.replace(join(folder, NAME), text, { mode: MODE });
}

export async function removeRunning(folder: string): Promise<void> {
  await files.remove(join(folder, NAME));
}

/**
 * null: the cluster does not run. The file of a killed cluster is ignored, and so is a file of that name from another
 * program. If the process of the cluster was killed but still exits, waits until that process has exited.
 */
export async function readRunning(folder: string): Promise<RunningCluster | null> {
  const running = await readFileOf(folder);
  if (running === null) return null;
  await killedHasExited(running.process);
  return (await procTable(files).isAlive(running.process)) ? running : null;
}

async function readFileOf(folder: string): Promise<RunningCluster | null> {
  try {
    // `writeRunning` replaces the file atomically, so that its content is always complete.
    const read = JSON.parse(await files.read(join(folder, NAME))) as Partial<RunningCluster> | null;
    return read?.process?.pid === undefined ? null : (read as RunningCluster);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** Milliseconds; the longest wait for a killed process, which may be blocked in the kernel. */
const EXIT_MS = 5_000;
const POLL_MS = 10;

/** Waits while the process is exiting after a SIGKILL: until then it has its sockets and its lock. */
async function killedHasExited({ pid }: ProcessIdentity): Promise<void> {
  for (let waitedMs = 0; waitedMs < EXIT_MS; waitedMs += POLL_MS) {
    if (!isExiting(await readStatus(pid))) return;
    await wait(POLL_MS);
  }
}

/** null: the process has exited. ESRCH: it exited after its file was opened and before it was read. */
async function readStatus(pid: number): Promise<string | null> {
  try {
    return await files.read(`/proc/${pid}/status`);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return null;
    throw error;
  }
}

const SIGKILL_BIT = 0x100n;

/**
 * True: the process has received SIGKILL and has not exited yet. A SIGKILL stays pending until all threads have exited;
 * a zombie main thread may still have living threads. `status`: /proc/PID/status of proc(5); null: the process has
 * exited.
 */
function isExiting(status: string | null): boolean {
  if (status === null) return false;
  const field = (name: string): string =>
    new RegExp(`^${name}:\\s*(\\w+)`, 'm').exec(status)?.[1] ?? '0';
  const isKilled = (BigInt(`0x${field('ShdPnd')}`) & SIGKILL_BIT) !== 0n;
  return isKilled && !(field('State') === 'Z' && field('Threads') === '1');
}

/** The directory with all files of a local cluster. Throws LHA108 if the user has no home directory. */
export function stateFolderOf(choice: ClusterChoice): string {
  const folder = stateFolderIfAny(choice);
  if (folder === null) throw noStateHome();
  return folder;
}

/** null: the user has no home directory, and therefore no local cluster without `--state-dir`. */
export function stateFolderIfAny({ cluster, stateDir }: ClusterChoice): string | null {
  // An absolute path, because the supervisors of its containers have other working directories.
  if (stateDir !== undefined) return resolve(stateDir);
  const home = usualStateFolder();
  return home === null ? null : join(home, cluster);
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
