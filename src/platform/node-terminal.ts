import { readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ReadStream } from 'node:tty';

import type { Channel, ChannelEvents, HeldProcess, HeldSpec } from './supervisor-host.ts';
import { posixError } from './posix-error.ts';
import type { ByteText, Exit } from './platform.ts';

/** The used part of the type of an optional package. */
interface TerminalProcess {
  readonly pid: number;
  /** Descriptor of the terminal's master side, which never blocks. */
  readonly fd: number;
  onData(listener: (data: Buffer) => void): void;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
  write(data: Buffer): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** Stream of the program's output. */
  readonly _socket: ReadStream;
}

interface TerminalPackage {
  spawn(file: string, args: readonly string[], options: object): TerminalProcess;
}

const firstSize = { cols: 80, rows: 24 };

/** Starts a program in a terminal by an optional package, since Node has no terminals. */
export function spawnInTerminal({ file, argv, env, cwd, user }: HeldSpec): HeldProcess {
  const child = loadPackage().spawn(file, argv.slice(1), {
    ...firstSize,
    env,
    cwd,
    encoding: null,
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  closeWhenRead(child);
  const channel = new TerminalChannel(child);
  const exited = new Promise<Exit>((resolve) => {
    child.onExit(({ exitCode, signal = 0 }) => {
      channel.end();
      resolve(
        signal === 0
          ? { code: exitCode, signal: null }
          : { code: null, signal: signalNames[signal] ?? `SIG${signal}` },
      );
    });
  });
  return {
    pid: child.pid,
    exited,
    stdin: channel,
    stdout: channel,
    stderr: null,
    resize: ({ columns, rows }) => {
      // A client whose terminal has no size sends 0 by 0. The program may also have exited meanwhile.
      if (columns > 0 && rows > 0 && !channel.ended) child.resize(columns, rows);
    },
  };
}

const readPollMs = 50;

/** Milliseconds to wait for a paused reader after the exit of the program. */
const readMaxMs = 10_000;

const readBytes = 65_536;

/**
 * Reads the rest of the output from the kernel before the terminal is closed. Node treats the exit of the program as
 * the end of its output as soon as one read returns less than requested. The package then closes the terminal 200 ms
 * later, whether or not everything was read.
 */
function closeWhenRead({ _socket: socket, fd }: TerminalProcess): void {
  const destroy = socket.destroy.bind(socket);
  const close = (waitedMs: number): void => {
    if (socket.destroyed) return;
    if (socket.isPaused() && waitedMs < readMaxMs) {
      setTimeout(close, readPollMs, waitedMs + readPollMs);
      return;
    }
    const rest = socket.isPaused() ? null : readNow(fd);
    if (rest === null) {
      destroy();
      return;
    }
    socket.emit('data', rest);
    setImmediate(close, 0);
  };
  let closing = false;
  socket.destroy = (error): ReadStream => {
    if (error !== undefined) destroy(error);
    else if (!closing) close(0);
    closing = true;
    return socket;
  };
}

/** Reads waiting output; null: there is none, and none will arrive unless another process has the terminal open. */
function readNow(fd: number): Buffer | null {
  const bytes = Buffer.alloc(readBytes);
  try {
    const length = readSync(fd, bytes);
    return length === 0 ? null : bytes.subarray(0, length);
  } catch {
    return null;
  }
}

/** The signals that terminate programs. */
const signalNames: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

function loadPackage(): TerminalPackage {
  const name = '@lydell/node-pty';
  try {
    return createRequire(import.meta.url)(name) as TerminalPackage;
  } catch (error) {
    throw posixError(
      'ENOTSUP',
      `A terminal needs the native supervisor ("npm run build:shim") or the package ${name}: build the one, or install the other (ENOTSUP).`,
      error,
    );
  }
}

class TerminalChannel implements Channel {
  readonly #child: TerminalProcess;
  #events: ChannelEvents | null = null;
  closed = false;
  ended = false;

  constructor(child: TerminalProcess) {
    this.#child = child;
  }

  open(events: ChannelEvents): void {
    this.#events = events;
    this.#child.onData((data) => {
      events.onData(data.toString('latin1'));
    });
    if (this.ended) events.onEnd();
  }

  pause(): void {
    this.#child.pause();
  }

  resume(): void {
    this.#child.resume();
  }

  /** Always true: the package does not report how much of its buffer is used. */
  write(bytes: ByteText): boolean {
    if (!this.ended) this.#child.write(Buffer.from(bytes, 'latin1'));
    return true;
  }

  finish(): void {
    this.closed = true;
  }

  close(): void {
    this.closed = true;
  }

  end(): void {
    this.ended = true;
    this.#events?.onEnd();
  }
}
