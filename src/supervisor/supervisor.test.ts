import { expect, it } from 'vitest';

import type { Channel, SupervisorHost } from '../platform/supervisor-host.ts';
import { posixError } from '../platform/posix-error.ts';
import { exec } from './commands.ts';
import type { Word } from './frames.ts';
import { signalContainer } from './process-tree.ts';
import type { ContainerOrder } from './records.ts';
import { Supervisor } from './supervisor.ts';

/** A supervisor of a container without output, and the steps that it has taken. */
function openSupervisor({ failures = [] }: { readonly failures?: Error[] } = {}): {
  readonly supervisor: Supervisor;
  readonly steps: string[];
} {
  const steps: string[] = [];
  const log = { size: 0, write: () => undefined, close: () => steps.push('the log is closed') };
  const host = {
    pid: 1,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    print: (stream: string, text: string) => steps.push(`${stream}: ${text}`),
    timers: {
      after: (ms: number, callback: () => void) => {
        steps.push(`a pause of ${ms} ms`);
        queueMicrotask(callback);
        return () => undefined;
      },
    },
    files: {
      replace: async (path: string) => {
        await Promise.resolve();
        for (const failure of failures.splice(0, 1)) throw failure;
        steps.push(`${path} is durable`);
      },
    },
    io: {
      openLog: () => log,
      childrenOf: () => [],
      signal: (pid: number, signal: string) => steps.push(`${signal} to ${pid}`),
      spawn: () => {
        throw new Error('a command was started');
      },
    },
  } as unknown as SupervisorHost;
  const order = { log: { path: '/node/log', maxBytes: 1_024 } } as ContainerOrder;
  return { supervisor: new Supervisor(host, '/node', order), steps };
}

it('reports the end after its output is in the log and its record is durable', async () => {
  const { supervisor, steps } = openSupervisor();
  supervisor.watchers.add(({ exitCode }) => {
    steps.push(`a client knows the exit code ${exitCode ?? '?'}`);
  });
  await supervisor.settle({ code: 3, signal: null });
  expect(steps).toEqual([
    'the log is closed',
    '/node/exit.json is durable',
    'a client knows the exit code 3',
  ]);
});

it('keeps the end of the container while the disk is full, and logs that then and afterwards', async () => {
  const full = posixError('ENOSPC', 'no space left on device');
  const { supervisor, steps } = openSupervisor({ failures: [full, full] });
  await supervisor.settle({ code: 3, signal: null });
  expect([steps, supervisor.end?.exitCode]).toEqual([
    [
      'the log is closed',
      'stderr: The end of the container cannot be recorded yet: no space left on device. The supervisor retries until it can.\n',
      'a pause of 100 ms',
      'a pause of 200 ms',
      '/node/exit.json is durable',
      'stderr: The end of the container was recorded late: no space left on device.\n',
    ],
    3,
  ]);
});

it('exits when its directory was removed, since no one can read the end', async () => {
  const { supervisor } = openSupervisor({ failures: [posixError('ENOENT', 'no such directory')] });
  await expect(supervisor.settle({ code: 3, signal: null })).rejects.toThrow('no such directory');
});

it('signals the first process no more when it has exited, since its pid may be reused', async () => {
  const { supervisor, steps } = openSupervisor();
  const { host } = supervisor;
  supervisor.first = 7;
  signalContainer(host, supervisor, 'SIGTERM');
  await supervisor.settle({ code: 0, signal: null });
  signalContainer(host, supervisor, 'SIGTERM');
  signalContainer(host, supervisor, 'SIGKILL');
  expect(steps.filter((step) => step.startsWith('SIG'))).toEqual(['SIGTERM to 7', 'SIGKILL to -7']);
});

it('starts no command while it records the end, which no process may outlive', async () => {
  const { supervisor, steps } = openSupervisor();
  supervisor.first = 7;
  const ended = supervisor.settle({ code: 0, signal: null });
  const program = { file: '/bin/sh', argv: ['sh'], env: {}, cwd: '/', user: null };
  const purpose = { kind: 'exec', program, stdin: false, tty: false, handover: null } as const;
  const say = (word: Word): void => {
    steps.push(word.kind === 'failed' ? word.message : word.kind);
  };
  exec(supervisor, {} as Channel, { purpose, say });
  expect(steps.at(-1)).toBe(`container not running (${supervisor.order.id})`);
  await ended;
});
