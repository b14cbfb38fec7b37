import { expect, it } from 'vitest';

import type { SupervisorHost } from '../platform/supervisor-host.ts';
import type { ContainerOrder } from './records.ts';
import { Supervisor } from './supervisor.ts';

it('reports the end after its output is in the log and its record is durable', async () => {
  const steps: string[] = [];
  const log = { size: 0, write: () => undefined, close: () => steps.push('the log is closed') };
  const host = {
    pid: 1,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    timers: { after: () => () => undefined },
    files: {
      replace: async (path: string) => {
        await Promise.resolve();
        steps.push(`${path} is durable`);
      },
    },
    io: { openLog: () => log, childrenOf: () => [], signal: () => undefined },
  } as unknown as SupervisorHost;
  const order = { log: { path: '/node/log', maxBytes: 1_024 } } as ContainerOrder;
  const supervisor = new Supervisor(host, '/node', order);
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
