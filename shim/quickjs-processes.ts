import * as native from 'lifehook:native';
import * as os from 'qjs:os';
import * as std from 'qjs:std';

import { asError } from '../src/platform/error-text.ts';
import type { Exit, Processes, RunningProcess, SpawnSpec } from '../src/platform/platform.ts';
import { posixError } from '../src/platform/posix-error.ts';
import { errnoName } from './errno.ts';
import { childExit, signalNumbers, watchChildren } from './quickjs-children.ts';
import { feed, openPipe, pump, type Pipe, type Pump } from './quickjs-pipes.ts';

/** Starts child processes. Each leads its own session, and is killed when this process is killed. */
export const quickjsProcesses: Processes = { spawn };

/** The parameter `bond` of `spawn` in native.c. */
export type Bond = 0 | 1 | 2 | 3;

export interface StartSpec {
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdio: readonly [number, number, number];
  readonly bond: Bond;
}

/** Starts the program and returns its pid; throws with a POSIX code if it cannot be started. */
export function start({ file, argv, env, cwd = '.', stdio, bond }: StartSpec): number {
  watchChildren();
  const path = file.includes('/') ? file : searchPath(file);
  const pid = native.spawn(
    native.encode(cString(path) + cString(cwd)),
    native.encode(argv.map(cString).join('')),
    native.encode(
      Object.entries(env)
        .map(([name, value]) => cString(`${name}=${value}`))
        .join(''),
    ),
    ...stdio,
    bond,
  );
  if (pid < 0) throw startFailure(errnoName(pid), path, cwd);
  return pid;
}

export function openNull(): number {
  return os.open('/dev/null', closeOnExecReadWrite);
}

const closeOnExecReadWrite = 0o2000002;

function spawn(spec: SpawnSpec): RunningProcess {
  const { stdin, onOutput } = spec;
  const wires = connect({ stdin, output: onOutput !== undefined });
  try {
    const pid = start({ ...spec, stdio: wires.childEnds, bond: 1 });
    if (stdin !== undefined) feed(wires.ours[0], native.encode(stdin));
    return { pid, ...follow(pid, pumpsOf(wires, spec)) };
  } catch (error) {
    for (const fd of wires.ours) if (fd !== none) os.close(fd);
    const exited = Promise.reject(asError(error));
    return { pid: 0, exited, signalGroup: () => undefined, groupAlive: () => false };
  } finally {
    for (const fd of wires.childEnds) os.close(fd);
  }
}

type Three = readonly [stdin: number, stdout: number, stderr: number];

/** The two ends of each standard stream. If the child's end is /dev/null, the end of this process is `none`. */
interface Wires {
  readonly childEnds: Three;
  readonly ours: Three;
}

const none = -1;

/** Pipes for the streams that are written or read; /dev/null for the others. */
export function connect({
  stdin,
  output,
}: {
  readonly stdin: string | undefined;
  readonly output: boolean;
}): Wires {
  const open = (wanted: boolean, ours: 'read' | 'write'): Pipe => {
    if (wanted) return openPipe(ours);
    return ours === 'read' ? { read: none, write: openNull() } : { read: openNull(), write: none };
  };
  const input = open(stdin !== undefined, 'write');
  const standard = open(output, 'read');
  const errors = open(output, 'read');
  return {
    childEnds: [input.read, standard.write, errors.write],
    ours: [input.write, standard.read, errors.read],
  };
}

function pumpsOf({ ours }: Wires, { onOutput }: SpawnSpec): Pump[] {
  if (onOutput === undefined) return [];
  const [, stdout, stderr] = ours;
  return [
    pump(stdout, (text, bytes) => {
      onOutput('stdout', text, bytes);
    }),
    pump(stderr, (text, bytes) => {
      onOutput('stderr', text, bytes);
    }),
  ];
}

export type Following = Omit<RunningProcess, 'pid'>;

export interface FollowOptions {
  /** Called when the output has ended and its pipes are closed. */
  readonly onClosed?: () => void;
  readonly untilGroupEnds?: boolean;
}

/** Milliseconds between two checks whether a process group has members: Linux has no event for the end of a group. */
const groupPollMs = 20;

/** Follows a started child: its process group and its output. */
export function follow(
  pid: number,
  pumps: readonly Pump[],
  { onClosed, untilGroupEnds = false }: FollowOptions = {},
): Following {
  // Once a group is empty, its number may be reused: never signal it again.
  let exited = false;
  let tidying = false;
  let ended = false;
  const send = (number: number): boolean => {
    // EPERM: the group still has members, but they run as another user and cannot be signalled.
    if (!exited) exited = errnoName(os.kill(-pid, number)) === 'ESRCH';
    return !exited;
  };
  const groupEnd = async (): Promise<void> => {
    while (send(0)) await pause(groupPollMs);
  };
  const closeWhenDone = (): void => {
    if (!ended || tidying) return;
    for (const each of pumps) each.close();
    onClosed?.();
  };
  return {
    exited: childExit(pid).then(async (exit): Promise<Exit> => {
      if (untilGroupEnds) await groupEnd();
      for (const each of pumps) each.drain();
      ended = true;
      closeWhenDone();
      return exit;
    }),
    signalGroup: (signal) => {
      send(signalNumbers[signal]);
      tidying = signal !== 'SIGKILL';
      closeWhenDone();
    },
    groupAlive: () => send(0),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    os.setTimeout(resolve, ms);
  });
}

/** Returns a text that has no NUL. One with a NUL is refused: a C string ends there, so the text would be truncated. */
function cString(text: string): string {
  if (text.includes('\0')) {
    throw posixError(
      'EINVAL',
      'Cannot start the program: its arguments or environment contain a NUL character (EINVAL).',
    );
  }
  return `${text}\0`;
}

/** Searches the PATH of this process, as execvp does. */
function searchPath(file: string): string {
  for (const entry of (std.getenviron()['PATH'] ?? '/bin:/usr/bin').split(':')) {
    const path = `${entry === '' ? '.' : entry}/${file}`;
    const [stat, error] = os.stat(path);
    if (error === 0 && (stat.mode & os.S_IFMT) === os.S_IFREG && (stat.mode & 0o111) !== 0)
      return path;
  }
  throw posixError(
    'ENOENT',
    `The program ${JSON.stringify(file)} is not on PATH: install it, or give its path (ENOENT).`,
  );
}

function startFailure(code: string, path: string, cwd: string): Error {
  if (os.stat(cwd)[1] !== 0) {
    return posixError(
      code,
      `The working directory ${JSON.stringify(cwd)} of ${JSON.stringify(path)} does not exist: create it (${code}).`,
    );
  }
  const reason = code === 'ENOENT' && os.stat(path)[1] === 0 ? interpreterMissing : reasons[code];
  return posixError(
    code,
    `The program ${JSON.stringify(path)} ${reason ?? 'cannot be started'} (${code}).`,
  );
}

const interpreterMissing =
  'exists, but the interpreter or loader that it names does not: install that';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: correct the path',
  EACCES: 'may not be executed: give it the x permission, and its directories too',
  ENOEXEC:
    'is neither a binary of this machine nor a script with a "#!" line: add the line, or name the interpreter first',
  E2BIG: 'was given more arguments and environment than the system takes',
};
