import { expect, it } from 'vitest';

import { posixError } from '../../../../src/platform/posix-error.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import type { ContainerOrder, StartedReport } from '../../../../src/supervisor/records.ts';
import { KeptContainer, type Runner } from './kept-container.ts';
import type { RuntimeWorld } from './runtime-world.ts';

/** Timers whose time passes at once: the earliest callback is the next one. */
function fastTimers(): RuntimeWorld['platform']['timers'] {
  let nowMs = 0;
  const pending = new Map<() => void, number>();
  const runEarliest = (): void => {
    const [first] = [...pending].toSorted(([, a], [, b]) => a - b);
    if (first === undefined) return;
    const [callback, atMs] = first;
    nowMs = atMs;
    pending.delete(callback);
    callback();
  };
  return {
    after: (ms, callback) => {
      const own = (): void => {
        callback();
      };
      pending.set(own, nowMs + ms);
      setImmediate(runEarliest);
      return () => void pending.delete(own);
    },
  };
}

/** A connection that nothing is received from until it is closed. */
function silentConnection(): SupervisorConnection {
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    write: () => undefined,
    close: end,
    // oxlint-disable-next-line require-yield
    incoming: (async function* () {
      await closed;
    })(),
  };
}

it.each([
  ['takes no connection', () => Promise.reject(posixError('EAGAIN', 'its queue is full'))],
  ['takes a connection, and does not answer', () => Promise.resolve(silentConnection())],
])('gives up a signal, and warns, if a paused supervisor %s', async (_, paused) => {
  const warnings: string[] = [];
  let connect: () => Promise<SupervisorConnection> = paused;
  const opened: SupervisorConnection[] = [];
  const world = {
    platform: {
      clock: { nowMs: () => 0 },
      timers: fastTimers(),
      files: {
        read: () => Promise.reject(posixError('ENOENT', 'no such file')),
        replace: () => Promise.resolve(),
      },
    },
    supervisors: {
      connect: async () => {
        const connection = await connect();
        opened.push(connection);
        return connection;
      },
    },
    warn: (message: string) => warnings.push(message),
  } as unknown as RuntimeWorld;
  const order = { id: 'c1', labels: {}, log: { path: '/c1/log' } } as unknown as ContainerOrder;
  const report = { process: { pid: 8 }, supervisor: { pid: 7 } } as unknown as StartedReport;
  const runner = { destroy: async () => undefined } as unknown as Runner;
  const container = new KeptContainer(runner, { world, folder: '/c1', order, report }, null);
  await container.signal('SIGTERM');
  expect(warnings).toEqual([
    'the supervisor of the container c1 (process 7) has not answered for 10 s, so SIGTERM may not have reached the container. If the supervisor is paused, continue it with kill -CONT 7',
  ]);
  connect = () => Promise.reject(posixError('ECONNREFUSED', 'refused'));
  for (const one of opened) one.close();
  await container.ended;
});
