import { spawn as spawnChild } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

import type { Exit, Processes, RunningProcess, Signal, SpawnSpec } from './platform.ts';
import { codeOf } from './posix-error.ts';
import { explainStartFailure, findProgram } from './program.ts';

/** Child processes over `node:child_process`, each the leader of a separate process group. */
export const nodeProcesses: Processes = { spawn };

function spawn(spec: SpawnSpec): RunningProcess {
  try {
    return new GroupLeader(start(spec), spec);
  } catch (error) {
    return neverStarted(explainStartFailure(error, spec));
  }
}

function start(spec: SpawnSpec): ChildProcess {
  const output = spec.onOutput === undefined ? 'ignore' : 'pipe';
  return spawnChild(findProgram(spec), spec.argv.slice(1), {
    argv0: spec.argv[0] ?? '',
    env: spec.env,
    cwd: spec.cwd,
    // setsid: the program leads a new group, whose id is its pid.
    detached: true,
    stdio: [spec.stdin === undefined ? 'ignore' : 'pipe', output, output],
  });
}

/** The result of a failed start: there is nothing to signal, and `exited` rejects with the reason. */
export function neverStarted(failure: Error): RunningProcess {
  return {
    pid: 0,
    exited: Promise.reject(failure),
    signalGroup: () => undefined,
    groupAlive: () => false,
  };
}

class GroupLeader implements RunningProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly #pumps: readonly Pump[];
  /** Once the group has exited, its id may be reused, so it is never signalled again. */
  #exited: boolean;
  #ended = false;
  /** Whether the group was signalled but not killed: a process that cleans up may still write output. */
  #tidying = false;

  constructor(child: ChildProcess, spec: SpawnSpec) {
    this.pid = child.pid ?? 0;
    this.#exited = child.pid === undefined;
    this.#pumps = [pump(child, 'stdout', spec), pump(child, 'stderr', spec)];
    this.exited = this.#watchEnd(child, spec);
    // Ignores EPIPE: a reader that exits early has read what it needs.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(spec.stdin, 'utf8');
  }

  signalGroup(signal: Signal): void {
    this.#send(signal);
    this.#tidying = signal !== 'SIGKILL';
    if (this.#ended && !this.#tidying) this.#close();
  }

  groupAlive(): boolean {
    this.#send(0);
    return !this.#exited;
  }

  async #watchEnd(child: ChildProcess, spec: SpawnSpec): Promise<Exit> {
    // Waits for 'exit', not for 'close', which would wait until a grandchild has closed the pipes too.
    const exit = await new Promise<Exit>((resolve, reject) => {
      child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
      child.once('error', (error) => {
        reject(explainStartFailure(error, spec));
      });
    });
    if (spec.untilGroupEnds === true) await this.#groupEnd();
    await drain();
    this.#ended = true;
    if (!this.#tidying) this.#close();
    return exit;
  }

  /** Resolves when the group has no member any more. Polls, since the operating system has no event for that. */
  async #groupEnd(): Promise<void> {
    while (this.groupAlive()) await pause(groupPollMs);
  }

  #close(): void {
    for (const each of this.#pumps) each.close();
  }

  #send(signal: Signal | 0): void {
    if (this.#exited) return;
    try {
      process.kill(-this.pid, signal);
    } catch (error) {
      // EPERM: the group still has members, but they now run as another user and cannot be signalled.
      this.#exited = codeOf(error) === 'ESRCH';
    }
  }
}

/** Passes one output stream to its consumer, which is synchronous, so nothing is buffered in between. */
interface Pump {
  close(): void;
}

function pump(child: ChildProcess, name: 'stdout' | 'stderr', { onOutput }: SpawnSpec): Pump {
  const stream: Readable | null = child[name];
  const decoder = new StringDecoder('utf8');
  stream?.on('data', (chunk: Buffer) => {
    onOutput?.(name, decoder.write(chunk), chunk.length);
  });
  // A stream that fails is destroyed, and so counts as ended.
  stream?.on('error', () => undefined);
  return {
    close: () => {
      stream?.destroy();
      const rest = decoder.end();
      if (rest !== '') onOutput?.(name, rest, 0);
    },
  };
}

const groupPollMs = 20;

/**
 * Number of turns of the event loop in which the last output is read after the leader's exit. The first turn may be the
 * rest of the one in which the exit was seen. One more whole turn reads up to 2 MiB of each pipe, more than a pipe
 * holds. If data and an exit arrive in the same turn, libuv delivers the data first, but does not guarantee that. The
 * number is fixed, so that a grandchild that continues to write cannot delay the end.
 */
const drainTurns = 2;

async function drain(): Promise<void> {
  for (let turn = 0; turn < drainTurns; turn += 1) await nextTurn();
}
