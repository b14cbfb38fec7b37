/** Lifehook's own programs on the simulated machine: the product's code, over the simulated ports of each process. */
import { readHookOrder } from '../../../src/lifecycles/container/hook-runs/hook-order.ts';
import type { Life, LifeEvent } from '../../../src/lifecycles/container/life/life.ts';
import { supervise } from '../../../src/lifecycles/container/life/supervise.ts';
import { keepDeadline } from '../../../src/lifecycles/container/shim/keep-deadline.ts';
import type { ShimHost } from '../../../src/platform/shim-host.ts';
import type { Host, Program } from '../host/host.ts';
import { replaceUnsynced } from '../host/host-files.ts';
import { ioOf } from '../host/host-io.ts';
import { platformOf, supervisionOf } from '../host/host-ports.ts';
import type { HostProcess } from '../host/host-process.ts';
import { ROOT } from './account.ts';

export const SUPERVISOR = '/lifehook/supervise';
export const HOOK_RUNNER = '/lifehook/hook';

/** The process ends when `main` settles: with the code that it resolves with, or with 1 if it rejects. */
export function programOf(
  host: Host,
  main: (process: HostProcess) => Promise<number>,
  onError: (error: unknown, process: HostProcess) => void = () => undefined,
): Program {
  return (process) => {
    const pausedMs = process.pausedUntilMs - host.world.elapsedMs;
    host.world.after(Math.max(pausedMs, host.random.fraction() * START_MS), () => {
      if (!process.alive) return;
      void runMain(host, process, { main, onError });
    });
  };
}

interface Main {
  readonly main: (process: HostProcess) => Promise<number>;
  readonly onError: (error: unknown, process: HostProcess) => void;
}

async function runMain(host: Host, process: HostProcess, { main, onError }: Main): Promise<void> {
  let code = 1;
  try {
    code = await main(process);
  } catch (error) {
    onError(error, process);
  }
  host.end(process, { code, signal: null });
}

const START_MS = 4;

export interface OwnOptions {
  readonly onStart: (process: HostProcess) => void;
  readonly onError: (error: unknown, process: HostProcess) => void;
}

export function installOwn(host: Host, { onStart, onError }: OwnOptions): void {
  const supervisor = programOf(
    host,
    async (process) => {
      const [, folder = '', instance = ''] = process.argv;
      const io = ioOf(host, process);
      await supervise({ host: { ...shimHostOf(host, process), io }, folder, instance });
      return 0;
    },
    onError,
  );
  const runner = programOf(
    host,
    async (process) => {
      const order = readHookOrder(process.argv.slice(1));
      if (order === null) throw new Error(`no order: ${process.argv.join(' ')}`);
      await keepDeadline(shimHostOf(host, process), order);
      return 0;
    },
    onError,
  );
  host.programs.set(SUPERVISOR, (process) => {
    onStart(process);
    supervisor(process);
  });
  host.programs.set(HOOK_RUNNER, (process) => {
    onStart(process);
    runner(process);
  });
}

function shimHostOf(host: Host, process: HostProcess): ShimHost {
  const notCalled = (): never => {
    throw new Error('a program beside a container does not do that');
  };
  return {
    ...platformOf(host, process),
    supervision: supervisionOf(host, process),
    args: process.argv.slice(1),
    env: process.env,
    pid: process.pid,
    slowness: null,
    replaceUnsynced: replaceUnsynced(host, process),
    fingerprints: { fingerprint: notCalled },
    selfPath: notCalled,
    openRead: notCalled,
    readInput: notCalled,
    print: (_, text) => {
      host.world.note(`process ${process.pid} prints: ${text.trimEnd()}`);
    },
    become: notCalled,
    runInPlace: notCalled,
    endAfter: notCalled,
    end: notCalled,
  };
}

export function lifeOf(host: Host, process: HostProcess, emit: (event: LifeEvent) => void): Life {
  return {
    platform: platformOf(host, process),
    supervision: supervisionOf(host, process),
    root: ROOT,
    supervisor: [SUPERVISOR],
    hookRunner: [HOOK_RUNNER],
    env: { PATH: '/bin', HOST_SECRET: 'of the host' },
    uid: 0,
    emit: (event) => {
      if (process.alive) emit(event);
    },
  };
}
