import { expect, it, vi } from 'vitest';

import { posixError } from '../../../../src/platform/posix-error.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import { purposeFrame } from '../../../../src/supervisor/frames.ts';
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

interface Stand {
  readonly container: KeptContainer;
  readonly warnings: readonly string[];
  /** Changes how the supervisor takes the connections from now on. */
  readonly connectBy: (connect: () => Promise<SupervisorConnection>) => void;
  /** Lets the supervisor exit. */
  readonly end: () => Promise<void>;
}

function standOf(paused: () => Promise<SupervisorConnection>): Stand {
  const warnings: string[] = [];
  let connect = paused;
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
  return {
    container,
    warnings,
    connectBy: (other) => {
      connect = other;
    },
    end: async () => {
      connect = () => Promise.reject(posixError('ECONNREFUSED', 'refused'));
      for (const one of opened) one.close();
      await container.ended;
    },
  };
}

const busy = (): Promise<never> => Promise.reject(posixError('EAGAIN', 'its queue is full'));

function silence(signal: string): string {
  return `the supervisor of the container c1 (process 7) has not answered for 10 s, so ${signal} may not have reached the container. If the supervisor is paused, continue it with kill -CONT 7`;
}

it.each([
  ['takes no connection', busy],
  ['takes a connection, and does not answer', () => Promise.resolve(silentConnection())],
])('gives up a signal, and warns, if a paused supervisor %s', async (_, paused) => {
  const { container, warnings, end } = standOf(paused);
  await container.signal('SIGTERM');
  expect(warnings).toEqual([silence('SIGTERM')]);
  await end();
});

it('kills the container when a supervisor that took no connection is continued after the warning', async () => {
  const { container, warnings, connectBy, end } = standOf(busy);
  const killed = container.kill();
  await vi.waitFor(() => {
    expect(warnings).toEqual([silence('SIGKILL')]);
  });
  const sent: string[] = [];
  connectBy(() => Promise.resolve({ ...silentConnection(), write: (bytes) => sent.push(bytes) }));
  await vi.waitFor(() => {
    expect(sent).toContain(purposeFrame({ kind: 'signal', signal: 'SIGKILL' }));
  });
  await end();
  await killed;
});
