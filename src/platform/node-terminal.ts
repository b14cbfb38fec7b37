import { createRequire } from 'node:module';
import type { ReadStream } from 'node:tty';

import type { Channel, ChannelEvents, KeptProcess, KeptSpec } from './keeper-host.ts';
import { posixError } from './posix-error.ts';
import type { ByteText, Exit } from './platform.ts';

/** The part of an optional package that is used. */
interface TerminalProcess {
  readonly pid: number;
  onData(listener: (data: Buffer) => void): void;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
  write(data: Buffer): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** Where the program's output is read. */
  readonly _socket: ReadStream;
}

interface TerminalPackage {
  spawn(file: string, args: readonly string[], options: object): TerminalProcess;
}

const firstSize = { cols: 80, rows: 24 };

/** A program in a terminal under Node, which has none of its own. */
export function spawnInTerminal({ file, argv, env, cwd, user }: KeptSpec): KeptProcess {
  const child = loadPackage().spawn(file, argv.slice(1), {
    ...firstSize,
    env,
    cwd,
    encoding: null,
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  closeWhenRead(child._socket);
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
      // A client whose own terminal has no size tells 0 by 0; and the program may have ended meanwhile.
      if (columns > 0 && rows > 0 && !channel.ended) child.resize(columns, rows);
    },
  };
}

const readPollMs = 50;

/** How long a paused reader is waited for after the end of the program. */
const readMaxMs = 10_000;

/**
 * The package closes the terminal 200 ms after the program's end, read or not. Here it is closed once a turn of the event
 * loop finds nothing to read; the kernel tells of the end itself where no other process has the terminal open.
 */
function closeWhenRead(socket: ReadStream): void {
  const destroy = socket.destroy.bind(socket);
  let hasCome = false;
  socket.on('data', () => (hasCome = true));
  const look = (waitedMs: number): void => {
    hasCome = false;
    setImmediate(() => {
      if (!(hasCome || socket.isPaused()) || waitedMs >= readMaxMs) destroy();
      else setTimeout(look, readPollMs, socket.isPaused() ? waitedMs + readPollMs : 0);
    });
  };
  socket.destroy = (error): ReadStream => {
    if (error === undefined) look(0);
    else destroy(error);
    return socket;
  };
}

/** Those that end programs. */
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
      `A terminal needs the native keeper ("npm run build:shim") or the package ${name}: build the one, or install the other (ENOTSUP).`,
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

  /** The package keeps what waits to itself. */
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
