import * as native from 'lifehook:native';
import * as os from 'qjs:os';

import { livingDescendants, tolerantReader, type ProcReader } from '../src/platform/descendants.ts';
import { asError } from '../src/platform/error-text.ts';
import type { Exit } from '../src/platform/platform.ts';
import type {
  DetachedProcess,
  DetachedSpec,
  OutputTarget,
  ShimProcesses,
} from '../src/platform/supervision.ts';
import { check } from './errno.ts';
import { childExit, hasChildren, onSignal, signalNumbers } from './quickjs-children.ts';
import { readAll } from './quickjs-files.ts';
import { openNull, start } from './quickjs-processes.ts';

/** The process functions of the native host (QuickJS): they start children, and observe or signal any process. */
export const quickjsSupervision: ShimProcesses = {
  becomeSubreaper: () => native.subreaper() === 0,
  spawnDetached,
  waitForEnd,
  descendants: (question) => (hasChildren() ? livingDescendants(procReader, question) : []),
  signalProcess: (pid, signal) => os.kill(pid, signalNumbers[signal]) === 0,
  onSignal: (signal, callback) => {
    onSignal(signalNumbers[signal], callback);
  },
};

export const procReader: ProcReader = tolerantReader({
  list: (folder) => {
    const [names, error] = os.readdir(folder);
    check(-error, 'list', folder);
    return names;
  },
  read: (path) => {
    const fd = openFile(path);
    try {
      return readAll(fd, path);
    } finally {
      os.close(fd);
    }
  },
});

/** Milliseconds between two checks of a process that is not a child. */
const pollMs = 50;
/** open(2): O_CLOEXEC, and O_APPEND | O_CREAT | O_WRONLY. */
const readFlags = 0o2000000;
const appendFlags = 0o2002101;

function spawnDetached(spec: DetachedSpec): DetachedProcess {
  const childEnds: number[] = [];
  const open = (fd: number): number => {
    childEnds.push(fd);
    return fd;
  };
  try {
    const stdin = openStdin(spec, open);
    const stdout = openTarget(spec.stdout, 1, open);
    const stderr = openTarget(spec.stderr, 2, open);
    const bond = spec.endsWithUs === true ? 1 : 2;
    const pid = start({ ...spec, stdio: [stdin, stdout, stderr], bond });
    return { pid, exited: childExit(pid) };
  } catch (error) {
    const exited = Promise.reject(asError(error));
    return { pid: 0, exited };
  } finally {
    for (const fd of childEnds) os.close(fd);
  }
}

/** Passes our own stdin on as a descriptor, since it may be a socket, which cannot be opened by its path (ENXIO). */
function openStdin({ stdinFile }: DetachedSpec, open: (fd: number) => number): number {
  if (stdinFile === '/dev/stdin') return 0;
  return open(stdinFile === undefined ? openNull() : openFile(stdinFile));
}

function openFile(path: string): number {
  return check(os.open(path, readFlags), 'open', path);
}

function openTarget(target: OutputTarget, own: number, open: (fd: number) => number): number {
  switch (target.kind) {
    case 'null':
      return open(openNull());
    case 'inherit':
      return own;
    case 'append':
      return open(check(os.open(target.path, appendFlags, target.mode), 'open', target.path));
    default:
      return target satisfies never;
  }
}

/** Waits for the exit of a process. For a child there is a signal; any other process is polled. */
async function waitForEnd(pid: number): Promise<Exit | null> {
  return new Promise((resolve) => {
    let reported = false;
    const report = (exit: Exit | null): void => {
      reported = true;
      resolve(exit);
    };
    void childExit(pid).then(report);
    const look = (): void => {
      if (reported) return;
      if (os.kill(pid, 0) === 0) os.setTimeout(look, pollMs);
      // If the process was a child and was just reaped, the promise of `childExit` resolves before this timer, and
      // reports the exit.
      else
        os.setTimeout(() => {
          if (!reported) report(null);
        }, 0);
    };
    look();
  });
}
