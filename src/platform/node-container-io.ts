import { spawn as spawnChild, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { directChildren } from './descendants.ts';
import { procReader } from './node-supervision.ts';
import type {
  Channel,
  ChannelEvents,
  ContainerIo,
  HeldProcess,
  HeldSpec,
  LogOutput,
} from './supervisor-host.ts';
import { spawnInTerminal } from './node-terminal.ts';
import type { ByteText, Exit, Signal } from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';
import { explainStartFailure, findProgram } from './program.ts';

/**
 * The I/O of a container's supervisor, as far as Node supports it. Node needs 40 MB and 60 ms, the native supervisor 3
 * MB and 2 ms. Node sets no supplementary groups, and cannot receive a terminal from a runtime.
 */
export const nodeContainerIo: ContainerIo = {
  listen: (path, onConnection) => {
    const server = createServer({ allowHalfOpen: false }, (socket) => {
      onConnection(new StreamChannel(socket, socket));
    });
    // The socket gets its final name only after it listens. So a client that connects to that name is refused only if
    // this process has exited.
    const first = `${path}.${process.pid}`;
    // Node would truncate a longer path, and so create a socket with another name.
    if (Buffer.byteLength(first) > SOCKET_PATH_BYTES_MAX) throw tooLong(first);
    fs.rmSync(first, { force: true });
    // A failure is thrown below. Node also emits it later as an event.
    server.on('error', () => undefined);
    server.listen(first);
    try {
      if (!server.listening) throw listenFailure(path);
      fs.linkSync(first, path);
    } catch (error) {
      server.close();
      if (codeOf(error) !== 'EEXIST') throw error;
      throw posixError('EADDRINUSE', `EADDRINUSE: ${path} exists already`, error);
    } finally {
      fs.rmSync(first, { force: true });
    }
  },
  openLog,
  renameNow: (from, to) => {
    fs.renameSync(from, to);
  },
  spawn,
  childrenOf: (pid) => directChildren(procReader, pid),
  signal,
  awaitTerminal: null,
};

/** Length of `sun_path` without its NUL byte, see unix(7). On macOS and the BSDs it is four bytes less. */
const SOCKET_PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103;

function tooLong(path: string): Error {
  return posixError(
    'ENAMETOOLONG',
    `Cannot listen at ${path}: the path of a socket has at most ${SOCKET_PATH_BYTES_MAX} bytes, and this one has ${Buffer.byteLength(path)}. Use a shorter directory (ENAMETOOLONG).`,
  );
}

/** The failure of a socket, with its probable code: Node reports the code only in a later event. */
function listenFailure(path: string): Error {
  const code = fs.existsSync(dirname(path)) ? 'EACCES' : 'ENOENT';
  return posixError(code, `Cannot create a socket in ${dirname(path)} (${code})`);
}

const logMode = 0o600;

function openLog(path: string): LogOutput {
  const fd = fs.openSync(path, 'a', logMode);
  let { size } = fs.fstatSync(fd);
  return {
    get size() {
      return size;
    },
    write: (text) => {
      const bytes = Buffer.from(text, 'latin1');
      for (let at = 0; at < bytes.length;) {
        const taken = fs.writeSync(fd, bytes, at);
        size += taken;
        at += taken;
      }
    },
    truncate: (wanted) => {
      fs.ftruncateSync(fd, wanted);
      size = wanted;
    },
    close: () => {
      fs.closeSync(fd);
    },
  };
}

function spawn(spec: HeldSpec): HeldProcess {
  if (spec.tty) return spawnInTerminal(spec);
  const { argv, env, cwd, user, stdin } = spec;
  let child: ChildProcess;
  try {
    child = spawnChild(findProgram(spec), argv.slice(1), {
      argv0: argv[0] ?? spec.file,
      env,
      cwd,
      detached: true,
      stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    });
  } catch (error) {
    throw explainStartFailure(error, spec);
  }
  // A failed start is thrown below. Node also emits it later as an event.
  child.on('error', () => undefined);
  // Node reports the code of a failure only in a later event, so the code is found by inspecting the files.
  if (child.pid === undefined)
    throw explainStartFailure(posixError(failureOf(spec), 'not started'), spec);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, name) => {
      resolve({ code, signal: name });
    });
  });
  return {
    pid: child.pid,
    exited,
    stdin: child.stdin === null ? null : new StreamChannel(null, child.stdin),
    stdout: new StreamChannel(child.stdout, null),
    stderr: new StreamChannel(child.stderr, null),
    resize: () => undefined,
  };
}

function failureOf({ file, cwd }: HeldSpec): string {
  return fs.existsSync(file) && fs.existsSync(cwd) ? 'EACCES' : 'ENOENT';
}

function signal(pid: number, name: Signal): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // EPERM: the process now runs as another user and cannot be signalled.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error;
  }
}

/** A channel over a readable stream of Node, a writable one, or both, which can be the same socket. */
class StreamChannel implements Channel {
  readonly #readable: Readable | null;
  readonly #writable: Writable | null;
  #closed = false;

  constructor(readable: Readable | null, writable: Writable | null) {
    this.#readable = readable;
    this.#writable = writable;
    for (const stream of [readable, writable]) stream?.on('error', () => undefined);
  }

  get closed(): boolean {
    return this.#closed;
  }

  open({ onData, onEnd, onDrain }: ChannelEvents): void {
    let ended = false;
    const end = (): void => {
      if (!ended) onEnd();
      ended = true;
    };
    this.#readable?.on('data', (bytes: Buffer) => {
      onData(bytes.toString('latin1'));
    });
    this.#readable?.once('end', end);
    this.#readable?.once('close', end);
    this.#writable?.on('drain', onDrain);
    this.#writable?.once('close', () => {
      this.#closed = true;
      // Resumes a writer that waits for the drain.
      onDrain();
    });
  }

  pause(): void {
    this.#readable?.pause();
  }

  resume(): void {
    this.#readable?.resume();
  }

  write(bytes: ByteText): boolean {
    if (this.#writable === null || !this.#writable.writable) return true;
    return this.#writable.write(Buffer.from(bytes, 'latin1'));
  }

  finish(): void {
    this.#writable?.end(() => {
      this.close();
    });
  }

  close(): void {
    this.#closed = true;
    this.#readable?.destroy();
    this.#writable?.destroy();
  }
}
