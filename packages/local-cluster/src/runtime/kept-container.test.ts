import { expect, it } from 'vitest';

import { toLabels } from '../../../../src/platform/container-labels.ts';
import { StartError } from '../../../../src/platform/container-runtime.ts';
import { posixError } from '../../../../src/platform/posix-error.ts';
import { wordFrame } from '../../../../src/supervisor/frames.ts';
import type { ContainerOrder } from '../../../../src/supervisor/records.ts';
import { KeptContainer, type Runner } from './kept-container.ts';
import type { RuntimeWorld } from './runtime-world.ts';

const order = {
  id: 'c1',
  labels: toLabels({
    podUid: 'uid-1',
    namespace: 'shop',
    pod: 'db',
    container: 'mysql',
    restartCount: 0,
    backoffSeconds: null,
  }),
  log: { path: '/c1/log', maxBytes: 65_536 },
} as unknown as ContainerOrder;

/** A container of a killed supervisor, whose end can be recorded after this many failed attempts. */
function lostContainer(failures: number): {
  readonly container: KeptContainer;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  let left = failures;
  const world = {
    platform: {
      clock: { nowMs: () => 0 },
      timers: {
        after: (_ms: number, callback: () => void) => {
          queueMicrotask(callback);
          return () => undefined;
        },
      },
      files: {
        read: () => Promise.reject(posixError('ENOENT', 'no such file')),
        replace: async () => {
          left -= 1;
          if (left >= 0) throw posixError('ENOSPC', "no space left on device '/c1/exit.json'");
        },
      },
    },
    supervisors: { connect: () => Promise.reject(posixError('ECONNREFUSED', 'refused')) },
    warn: (message: string) => warnings.push(message),
  } as unknown as RuntimeWorld;
  const runner = { destroy: async () => undefined } as unknown as Runner;
  const place = { world, folder: '/c1', order, report: null };
  return { container: new KeptContainer(runner, place, null), warnings };
}

it('warns once while the end of a container cannot be recorded', async () => {
  const { container, warnings } = lostContainer(20);
  expect(await container.ended).toMatchObject({ reason: 'ContainerStatusUnknown' });
  expect(warnings).toEqual([
    "the supervisor of the container mysql of pod shop/db was killed, and the container's end cannot be recorded: no space left on device '/c1/exit.json'. The pod keeps its state until a retry succeeds",
  ]);
});

it('does not warn of a failure that the next attempts repair', async () => {
  const { container, warnings } = lostContainer(2);
  await container.ended;
  expect(warnings).toEqual([]);
});

it.each([
  ['EMFILE', 2],
  ['ENOMEM', 2],
  ['EAGAIN', 19],
  ['EACCES', 2],
  ['ENOBUFS', 20],
])(
  'waits for its supervisor, and kills nothing, when a connection to it fails with %s %i times',
  async (code, times) => {
    const warnings: string[] = [];
    const calls: string[] = [];
    const end = { exitCode: 3, signal: null, endedAtMs: 7, reason: 'Error' };
    const frames = [wordFrame({ kind: 'ended', end })];
    const failures = Array.from({ length: times }, () => posixError(code, 'busy'));
    const world = {
      platform: {
        timers: {
          after: (_ms: number, callback: () => void) => {
            queueMicrotask(callback);
            return () => undefined;
          },
        },
        files: { read: () => Promise.reject(posixError('ENOENT', 'no such file')) },
      },
      warn: (message: string) => warnings.push(message),
      supervisors: {
        connect: async () => {
          for (const failure of failures.splice(0, 1)) throw failure;
          return {
            write: () => calls.push('a request'),
            close: () => calls.push('closed'),
            incoming: (async function* () {
              yield* frames;
            })(),
          };
        },
      },
    } as unknown as RuntimeWorld;
    const destroy = async (): Promise<void> => void calls.push('destroyed');
    const place = { world, folder: '/c1', order, report: null };
    const container = new KeptContainer({ destroy } as unknown as Runner, place, null);
    expect([await container.ended, calls]).toEqual([end, ['a request', 'closed']]);
    const warned = [
      'the supervisor of the container mysql of pod shop/db cannot be reached: busy. The pod keeps its state until a retry succeeds',
    ];
    expect(warnings).toEqual(times === 20 ? warned : []);
  },
);

it.each([
  ['ECONNREFUSED', 'container not running (c1)'],
  ['ENOENT', 'container not running (c1)'],
  ['ENOTSOCK', 'container not running (c1)'],
  [
    'EMFILE',
    'the supervisor of container c1 cannot be reached: connect EMFILE. The container may still run. Retry when the machine has free file descriptors and memory',
  ],
  [
    'EAGAIN',
    'the supervisor of container c1 cannot be reached: connect EAGAIN. The container may still run. Retry, and if the supervisor (process 12) is paused, continue it with kill -CONT 12',
  ],
  [
    'EACCES',
    'the supervisor of container c1 cannot be reached: connect EACCES. The container may still run. Check the rights of its socket /c1/s, and retry',
  ],
])('rejects its sessions with a StartError when a connection fails with %s', async (code, why) => {
  const world = {
    supervisors: { connect: () => Promise.reject(posixError(code, `connect ${code}`)) },
  } as unknown as RuntimeWorld;
  const execProgram = async (): Promise<object> => ({ purpose: { kind: 'exec' } });
  const identity = (pid: number) => ({ pid, started: 'boot/1' });
  const report = {
    kind: 'started',
    supervisor: identity(12),
    process: identity(13),
    startedAtMs: 1,
  } as const;
  const place = { world, folder: '/c1', order, report };
  const end = { exitCode: 0, signal: null, endedAtMs: 7, reason: 'Completed' };
  const container = new KeptContainer({ execProgram } as unknown as Runner, place, end);
  const { signal } = new AbortController();
  const exec = container.exec({ argv: ['date'], stdin: false, tty: false, signal });
  for (const { exited } of [exec, container.attach()]) {
    await expect(exited).rejects.toThrow(new StartError('StartError', why));
    await expect(exited).rejects.toBeInstanceOf(StartError);
  }
});
