import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { livingDescendants, tolerantReader, type ProcReader } from './descendants.ts';
import type { Exit } from './platform.ts';
import { codeOf } from './posix-error.ts';
import { explainStartFailure, findProgram } from './program.ts';
import type { DetachedProcess, DetachedSpec, OutputTarget, ShimProcesses } from './supervision.ts';

/**
 * The processes of a supervisor, as far as Node supports it. There is no subreaper, so the exit status of an adopted
 * process is unknown.
 */
export const nodeSupervision: ShimProcesses = {
  becomeSubreaper: () => false,
  spawnDetached,
  waitForEnd: (pid) => ownChildren.get(pid) ?? watchOther(pid),
  descendants: (question) => livingDescendants(procReader, question),
  signalProcess,
  onSignal: (signal, callback) => {
    process.on(signal, callback);
  },
};

export const procReader: ProcReader = tolerantReader({
  list: (folder) => fs.readdirSync(folder),
  read: (path) => fs.readFileSync(path, 'latin1'),
});

/** Milliseconds between two checks of a process that is not our child. */
const pollMs = 50;

/** Children are kept after their exit, so that their status can still be read. A supervisor starts only a few. */
const ownChildren = new Map<number, Promise<Exit>>();

function spawnDetached(spec: DetachedSpec): DetachedProcess {
  const opened: number[] = [];
  const open = (path: string, flags: string, mode?: number): number => {
    const fd = fs.openSync(path, flags, mode);
    opened.push(fd);
    return fd;
  };
  try {
    const child = spawn(findProgram(spec), spec.argv.slice(1), {
      argv0: spec.argv[0] ?? '',
      env: spec.env,
      cwd: spec.cwd,
      detached: true,
      stdio: [stdinOf(spec, open), stdioOf(spec.stdout, open), stdioOf(spec.stderr, open)],
    });
    const exited = new Promise<Exit>((resolve, reject) => {
      child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
      child.once('error', (error) => {
        reject(explainStartFailure(error, spec));
      });
    });
    if (child.pid !== undefined) ownChildren.set(child.pid, exited);
    return { pid: child.pid ?? 0, exited };
  } catch (error) {
    return { pid: 0, exited: Promise.reject(explainStartFailure(error, spec)) };
  } finally {
    for (const fd of opened) fs.closeSync(fd);
  }
}

/**
 * Passes stdin on as a descriptor: Node gives its children sockets as pipes, and a socket cannot be opened by its path
 * (ENXIO).
 */
function stdinOf(
  { stdinFile }: DetachedSpec,
  open: (path: string, flags: string) => number,
): 'ignore' | 'inherit' | number {
  if (stdinFile === undefined) return 'ignore';
  return stdinFile === '/dev/stdin' ? 'inherit' : open(stdinFile, 'r');
}

function stdioOf(
  target: OutputTarget,
  open: (path: string, flags: string, mode: number) => number,
): 'ignore' | 'inherit' | number {
  switch (target.kind) {
    case 'null':
      return 'ignore';
    case 'inherit':
      return 'inherit';
    case 'append':
      return open(target.path, 'a', target.mode);
    default:
      return target satisfies never;
  }
}

async function watchOther(pid: number): Promise<null> {
  while (isThere(pid)) await wait(pollMs);
  return null;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) === 'ESRCH' || codeOf(error) === 'EPERM') return false;
    throw error;
  }
}
