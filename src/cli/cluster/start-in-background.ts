/** Starts the cluster's process in a separate session, with its output in a file. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { LifehookError } from '../../model/problem.ts';
import { exitText } from '../../platform/error-text.ts';
import { partArgv } from '../program-files.ts';
import { FREE_SPACE } from '../system-advice.ts';
import { notWritable } from './hold-state.ts';
import type { UpOptions } from './up.ts';

/** Bytes. A start renames the log of earlier runs if it is larger. */
const LOG_MAX_BYTES = 1_048_576;
/** Maximum characters of the process's output that are reported if the process exits before it is ready. */
const REPORTED_MAX_CHARACTERS = 2_000;
const LOG_MODE = 0o600;

/** Resolves with 'inUse' if another process has locked the state. Rejects if the process exits before it is ready. */
export async function startInBackground(
  folder: string,
  options: UpOptions,
): Promise<'ready' | 'inUse'> {
  const path = join(folder, 'up.log');
  const log = openLog(folder, path);
  const begin = statSync(path).size;
  const [program = '', ...args] = partArgv('serve');
  const child = spawn(program, [...args, folder, JSON.stringify(options)], {
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
    env: { ...process.env, LIFEHOOK_READY_FD: '3' },
  });
  closeSync(log);
  const pipe = child.stdio[3];
  let said = '';
  const outcome = await new Promise<'ready' | 'inUse'>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (said.endsWith(IN_USE)) resolve('inUse');
      else reject(notStarted(path, `its process ${exitText({ code, signal })}`, begin));
    });
    pipe?.on('data', (bytes: Buffer) => {
      said += bytes.toString('utf8');
      if (said.endsWith(READY)) resolve('ready');
    });
  });
  child.removeAllListeners();
  pipe?.destroy();
  child.unref();
  return outcome;
}

function openLog(folder: string, path: string): number {
  try {
    if (existsSync(path) && statSync(path).size > LOG_MAX_BYTES) renameSync(path, `${path}.1`);
    return openSync(path, 'a', LOG_MODE);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

export function notStarted(log: string, why: string, begin: number = 0): LifehookError {
  const text = readFileSync(log).subarray(begin).toString('utf8').trim();
  if (text === '' && isFull(log)) {
    return new LifehookError({
      code: 'LHA101',
      message: `The cluster did not start: ${why}, and could not write ${log}, because its file system is full.`,
      next: FREE_SPACE,
    });
  }
  const reported = text === '' ? '' : ` It said: ${text.slice(-REPORTED_MAX_CHARACTERS)}`;
  return new LifehookError({
    code: 'LHA101',
    message: `The cluster did not start: ${why}.${reported}`,
    next: `see ${log}, or run it with --foreground.`,
  });
}

/** Whether the file system of the file has no free space. */
function isFull(path: string): boolean {
  return statfsSync(path).bavail === 0;
}

export const READY = 'ready\n';
/** Sent to the starter if another process has locked the state directory. */
export const IN_USE = 'in use\n';

/**
 * Writes to descriptor 3, from which the starting process reads. False: no starting process reads it, because this
 * process was started in the foreground.
 */
export function sayToStarter(word: typeof READY | typeof IN_USE): boolean {
  const descriptor = Number(process.env['LIFEHOOK_READY_FD'] ?? Number.NaN);
  if (Number.isNaN(descriptor)) return false;
  writeSync(descriptor, word);
  closeSync(descriptor);
  return true;
}
