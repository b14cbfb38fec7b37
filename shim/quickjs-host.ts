import * as native from 'lifehook:native';
import * as os from 'qjs:os';
import * as std from 'qjs:std';

import type { Fingerprints } from '../src/platform/fingerprint.ts';
import type { Exit, Network } from '../src/platform/platform.ts';
import { posixError } from '../src/platform/posix-error.ts';
import type { ShimHost, StandIn } from '../src/platform/shim-host.ts';
import { errnoName } from './errno.ts';
import { childExit, defaultSignals, signalNumber, watchChildren } from './quickjs-children.ts';
import { openRead, quickjsFiles, readAll, replaceFile } from './quickjs-files.ts';
import { quickjsProcesses } from './quickjs-processes.ts';
import { quickjsSupervision } from './quickjs-supervision.ts';

const fingerprints: Fingerprints = {
  fingerprint: (folder, names, seed) => {
    const [hash, newestMs] = native.fingerprint(folder, names, seed);
    return { hash, newestMs };
  },
};

const noNetwork: Network = {
  httpGet: async () => {
    throw new Error('the shim has no network: it runs commands only');
  },
  tcpConnect: async () => {
    throw new Error('the shim has no network: it runs commands only');
  },
};

/** The platform of a native shim program, implemented with QuickJS and native.c. */
export const host: ShimHost = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => os.now() },
  timers: {
    after: (ms, callback) => {
      const timer = os.setTimeout(callback, Math.max(0, ms));
      return () => {
        os.clearTimeout(timer);
      };
    },
  },
  processes: quickjsProcesses,
  files: quickjsFiles,
  network: noNetwork,
  supervision: quickjsSupervision,
  fingerprints,
  args: scriptArgs.slice(1),
  env: std.getenviron(),
  pid: os.getpid(),
  slowness: null,
  selfPath: () => quickjsFiles.realPath('/proc/self/exe'),
  replaceUnsynced: async (path, content, like) => {
    replaceFile({ path, content, sync: false, ...like });
  },
  openRead: async (path) => openRead(path),
  readInput: (limitBytes) => readAll(0, 'standard input', limitBytes),
  print: (stream, text) => {
    printAll(stream === 'stdout' ? 1 : 2, native.encode(text));
  },
  become: async (path) => {
    throw notStarted(path, native.exec(path));
  },
  runInPlace,
  endAfter: (seconds) => {
    native.alarm(seconds);
  },
  end,
};

function printAll(fd: number, bytes: string): void {
  let rest = bytes;
  while (rest !== '') {
    const taken = native.write(fd, rest);
    // The error cannot be reported: the caller may have closed the stream.
    if (taken < 0) return;
    rest = rest.slice(taken);
  }
}

function runInPlace(path: string): StandIn {
  watchChildren();
  const pid = native.spawn(native.encode(`${path}\0.\0`), null, null, 0, 1, 2, 0);
  if (pid < 0) throw notStarted(path, pid);
  return {
    exited: childExit(pid),
    signal: (signal) => {
      quickjsSupervision.signalProcess(pid, signal);
    },
  };
}

function end({ code, signal }: Exit): never {
  if (signal !== null) {
    defaultSignals();
    os.kill(os.getpid(), signalNumber(signal));
    // The signal did not kill this process: its default action kills no process, or it was ignored from the start.
    return std.exit(128 + signalNumber(signal));
  }
  return std.exit(code ?? 1);
}

function notStarted(path: string, result: number): Error {
  const code = errnoName(result);
  return posixError(code, `${JSON.stringify(path)} cannot be started (${code})`);
}
