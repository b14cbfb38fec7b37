import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, realpathSync, writeSync } from 'node:fs';

import { nodeFingerprints } from './node-fingerprint.ts';
import { nodePlatform } from './node-platform.ts';
import { nodeSupervision } from './node-supervision.ts';
import type { Exit, Signal } from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';
import type { InheritedDescriptors, RandomAccess, ShimHost, StandIn } from './shim-host.ts';

/**
 * The host of a shim program that runs under Node because there was no QuickJS compiler. It has the same functions, but
 * each start takes 60 ms more. Node has no exec, so this process waits for the other program as its child.
 */
export const host: ShimHost = {
  ...nodePlatform,
  supervision: nodeSupervision,
  fingerprints: nodeFingerprints,
  args: process.argv.slice(2),
  env: Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
  pid: process.pid,
  slowness:
    'the shim runs under Node, about 60 ms slower per call: "npm run build:shim" builds it natively on a machine with qjsc (QuickJS) and a C compiler',
  selfPath: async () => realpathSync(process.argv[1] ?? '/proc/self/exe'),
  replaceUnsynced: (path, content, like) => nodePlatform.files.replace(path, content, like),
  openRead,
  readInput,
  print: (stream, text) => {
    printAll(stream === 'stdout' ? 1 : 2, text);
  },
  become: async (path, inherited) => {
    const standIn = runInPlace(path, inherited);
    for (const signal of forwarded)
      process.on(signal, () => {
        standIn.signal(signal);
      });
    return end(await standIn.exited);
  },
  runInPlace,
  endAfter: (seconds) => {
    nodePlatform.timers.after(seconds * 1000, () => process.kill(process.pid, 'SIGKILL'));
  },
  end,
};

/** The signals that an engine sends to a runtime. */
const forwarded: readonly Signal[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
];

const firstInherited = 3;
const pieceBytes = 64 * 1024;

async function openRead(path: string): Promise<RandomAccess> {
  const fd = openSync(path, 'r');
  return {
    read: async (from, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, length, from));
    },
    close: () => {
      closeSync(fd);
    },
  };
}

function readInput(limitBytes: number): string {
  const pieces: Buffer[] = [];
  let total = 0;
  while (total < limitBytes) {
    const piece = Buffer.alloc(pieceBytes);
    const got = readPiece(piece);
    if (got === 0) break;
    pieces.push(piece.subarray(0, got));
    total += got;
  }
  return Buffer.concat(pieces).toString('latin1');
}

function readPiece(piece: Buffer): number {
  try {
    return readSync(0, piece);
  } catch (error) {
    if (codeOf(error) === 'EOF') return 0;
    throw error;
  }
}

function printAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch {
    // Ignored: the parent process may have closed the stream, and then nothing reads it.
  }
}

function runInPlace(path: string, inherited: InheritedDescriptors): StandIn {
  const child = spawn(path, process.argv.slice(2), {
    argv0: path,
    stdio: ['inherit', 'inherit', 'inherit', ...openDescriptors(inherited)],
  });
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
    child.once('error', (error) => {
      const code = codeOf(error) ?? 'EIO';
      reject(posixError(code, `${JSON.stringify(path)} cannot be started (${code})`, error));
    });
  });
  return {
    exited,
    signal: (signal) => {
      child.kill(signal);
    },
  };
}

/** Passes each descriptor to the child under its own number: Node closes all descriptors that are not in this list. */
function openDescriptors(count: number): ('ignore' | number)[] {
  return Array.from({ length: count }, (_, index) => {
    const fd = firstInherited + index;
    try {
      fstatSync(fd);
      return fd;
    } catch {
      return 'ignore';
    }
  });
}

function end({ code, signal }: Exit): never {
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(code ?? 1);
}
