/**
 * Starts child processes by a small native program, `lifehook-launch`. A fork copies the page tables of the whole
 * memory of its process: it takes 3 ms in Node and 0.3 ms in the native program. The guarantees are those of
 * `nodeProcesses`. The other side of the protocol is shim/quickjs-launching.ts (docs/decisions/launcher.md).
 */
import { type ChildProcess, spawn as spawnChild } from 'node:child_process';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

import type { Exit, Processes, RunningProcess, Signal, SpawnSpec } from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';
import { neverStarted } from './processes.ts';
import { explainStartFailure, findProgram, refuseNul } from './program.ts';

/** `close` stops the launcher. The processes that it has started continue. */
export interface LaunchedProcesses extends Processes {
  close(): void;
}

/**
 * Starts processes by the launcher. `launcher` is the path of lifehook-launch, which is started together with the first
 * process.
 */
export function launchedProcesses(launcher: string): LaunchedProcesses {
  let link: LauncherLink | null = null;
  return {
    spawn: (spec) => {
      try {
        if (link === null || link.isOver) link = new LauncherLink(launcher);
        return link.start(spec);
      } catch (error) {
        return neverStarted(explainStartFailure(error, spec));
      }
    },
    close: () => {
      link?.close();
    },
  };
}

/** The link of one launched process to its launcher. */
interface Link {
  readonly send: (request: object) => void;
  /** Called when the launcher reports nothing more about the process; may be called several times. */
  readonly onOver: () => void;
}

type PipedChild = ChildProcess & { readonly stdin: Socket; readonly stdout: Socket };

/** One running launcher. It keeps this process alive only while a child process runs. */
class LauncherLink {
  readonly #child: PipedChild;
  readonly #running = new Map<number, Launched>();
  #lastId = 0;
  #over = false;

  constructor(launcher: string) {
    // The launcher has a session of its own, so that Ctrl-C of the terminal reaches only this process.
    const child = spawnChild(launcher, [], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    // The cast is safe: the pipes that Node makes are sockets.
    this.#child = child as PipedChild;
    const frames = new LaunchFrames();
    this.#child.stdout.on('data', (piece: Buffer) => {
      for (const frame of frames.push(piece)) this.#take(frame);
    });
    this.#child.stdin.on('error', () => undefined);
    child.on('error', (error) => {
      this.#fail(error);
    });
    child.on('exit', () => {
      this.#fail(posixError('ESRCH', `${launcher} exited before the program did (ESRCH).`));
    });
    this.#hold(false);
  }

  get isOver(): boolean {
    return this.#over;
  }

  start(spec: SpawnSpec): RunningProcess {
    const { argv, env, stdin, untilGroupEnds = false } = spec;
    const file = findProgram(spec);
    const cwd = spec.cwd ?? process.cwd();
    const output = spec.onOutput !== undefined;
    const id = (this.#lastId += 1);
    const start = { file, argv, env, cwd, output, stdin, untilGroupEnds };
    const request = JSON.stringify({ id, start });
    refuseNul(spec, request);
    const launched = new Launched(spec, {
      send: (more) => {
        this.#child.stdin.write(`${JSON.stringify({ id, ...more })}\n`);
      },
      onOver: () => {
        this.#forget(id);
      },
    });
    if (this.#running.size === 0) this.#hold(true);
    this.#running.set(id, launched);
    this.#child.stdin.write(`${request}\n`);
    return launched;
  }

  close(): void {
    this.#over = true;
    this.#child.stdin.end();
  }

  #take({ id, kind, payload }: LaunchFrame): void {
    this.#running.get(id)?.take(kind, payload);
  }

  #forget(id: number): void {
    this.#running.delete(id);
    if (this.#running.size === 0) this.#hold(false);
  }

  #fail(error: Error): void {
    this.#over = true;
    for (const launched of this.#running.values()) launched.fail(error);
    this.#running.clear();
  }

  #hold(alive: boolean): void {
    const { stdin, stdout } = this.#child;
    for (const each of [this.#child, stdin, stdout]) {
      if (alive) each.ref();
      else each.unref();
    }
  }
}

class Launched implements RunningProcess {
  readonly exited: Promise<Exit>;
  readonly #spec: SpawnSpec;
  readonly #link: Link;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  /** Signals that were requested before the start was confirmed. */
  readonly #early: Signal[] = [];
  #pid = 0;
  #end: { resolve: (exit: Exit) => void; reject: (error: Error) => void } | null = null;
  #ended = false;
  #tidying = false;
  #exited = false;

  constructor(spec: SpawnSpec, link: Link) {
    this.#spec = spec;
    this.#link = link;
    this.exited = new Promise((resolve, reject) => {
      this.#end = { resolve, reject };
    });
  }

  get pid(): number {
    return this.#pid;
  }

  take(kind: string, payload: Buffer): void {
    if (kind === 'stdout' || kind === 'stderr') {
      this.#spec.onOutput?.(kind, this.#decoders[kind].write(payload), payload.length);
    } else if (kind === 'started') {
      this.#pid = Number(payload);
      for (const signal of this.#early.splice(0)) this.signalGroup(signal);
    } else if (kind === 'exit') {
      this.#finish(payload.toString());
    } else {
      const code = payload.toString();
      const error = posixError(code, `cannot be started (${code}).`);
      this.fail(explainStartFailure(error, this.#spec));
    }
  }

  fail(error: Error): void {
    this.#ended = true;
    this.#exited = this.#pid === 0;
    this.#end?.reject(error);
    this.#link.onOver();
  }

  signalGroup(signal: Signal): void {
    if (!this.#exited) {
      if (this.#pid === 0) this.#early.push(signal);
      else this.#link.send({ signal, pid: this.#pid });
    }
    this.#tidying = signal !== 'SIGKILL' && !this.#exited;
    this.#checkOver();
  }

  groupAlive(): boolean {
    if (this.#pid === 0 || this.#exited) return !this.#exited;
    try {
      process.kill(-this.#pid, 0);
    } catch (error) {
      // EPERM: the group still has members, but they now run as another user and cannot be signalled.
      this.#exited = codeOf(error) === 'ESRCH';
    }
    return !this.#exited;
  }

  /** Reads the text of an exit frame: "0 gone", or "SIGTERM" if the group still has members. */
  #finish(reported: string): void {
    const [how = '', group] = reported.split(' ');
    this.#ended = true;
    this.#exited ||= group === 'gone';
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#decoders[stream].end();
      if (rest !== '') this.#spec.onOutput?.(stream, rest, 0);
    }
    const signal = how.startsWith('SIG') ? how : null;
    this.#end?.resolve({ code: signal === null ? Number(how) : null, signal });
    // No process is left that could clean up.
    if (this.#exited) this.#tidying = false;
    this.#checkOver();
  }

  #checkOver(): void {
    if (this.#ended && !this.#tidying) this.#link.onOver();
  }
}

/** A frame of `lifehook-launch`: "<id> <kind> <bytes>\n", followed by this number of bytes. */
export interface LaunchFrame {
  readonly id: number;
  readonly kind: string;
  readonly payload: Buffer;
}

const LINE_FEED = 10;

/**
 * Joins pieces to frames. The incomplete part stays small, since a frame is at most as long as its header and the
 * buffer of a pipe.
 */
export class LaunchFrames {
  #unread: Buffer = Buffer.alloc(0);

  /** Adds a piece. Returns the frames that it completes, in their order. */
  push(piece: Buffer): LaunchFrame[] {
    const bytes = this.#unread.length === 0 ? piece : Buffer.concat([this.#unread, piece]);
    const frames: LaunchFrame[] = [];
    let at = 0;
    for (;;) {
      const headEnd = bytes.indexOf(LINE_FEED, at);
      if (headEnd === -1) break;
      const [id = '', kind = '', size = ''] = bytes.toString('latin1', at, headEnd).split(' ');
      const end = headEnd + 1 + Number(size);
      if (end > bytes.length) break;
      frames.push({ id: Number(id), kind, payload: bytes.subarray(headEnd + 1, end) });
      at = end;
    }
    this.#unread = bytes.subarray(at);
    return frames;
  }
}
