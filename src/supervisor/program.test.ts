import { describe, expect, it } from 'vitest';

import { posixError } from '../platform/posix-error.ts';
import type { Channel, HeldProcess, SupervisorHost } from '../platform/supervisor-host.ts';
import { readCall, runSupervisor } from './program.ts';

describe('the command line of a supervisor', () => {
  const life = { folder: '/run/lifehook/containers/web', instance: '17' };

  it.each([
    [['/s/process/containers/c1'], { nodeFolder: '/s/process/containers/c1', life: null }],
    [[life.folder, life.instance], { nodeFolder: null, life }],
    [
      ['/s/runc/containers/c1', life.folder, life.instance],
      { nodeFolder: '/s/runc/containers/c1', life },
    ],
  ])('says whose container it is: %j', (args, call) => {
    expect(readCall(args)).toEqual(call);
  });

  it.each([[[]], [['a', 'b', 'c', 'd']]])(
    'is refused with any other number of arguments: %j',
    (args) => {
      expect(readCall(args)).toBeNull();
    },
  );
});

it('kills a program whose start it cannot report, before it reports that the start failed', async () => {
  const steps: string[] = [];
  const channel = { open: () => undefined, pause: () => undefined } as unknown as Channel;
  const process: HeldProcess = {
    pid: 7,
    exited: new Promise(() => {}),
    stdin: null,
    stdout: channel,
    stderr: null,
    resize: () => undefined,
  };
  const order = { program: {}, stdin: false, tty: false, log: { path: '/log', maxBytes: 65_536 } };
  const host = {
    args: ['/node'],
    pid: 1,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    timers: { after: () => () => undefined },
    files: {
      read: async (path: string) => (path.endsWith('order.json') ? JSON.stringify(order) : ''),
    },
    supervision: { becomeSubreaper: () => undefined },
    replaceUnsynced: async (_path: string, text: string) => {
      const { kind } = JSON.parse(text) as { readonly kind: string };
      steps.push(kind);
      if (kind === 'started') throw posixError('ENOSPC', 'no space left on device');
    },
    io: {
      listen: () => undefined,
      openLog: () => ({ size: 0, write: () => undefined, close: () => undefined }),
      spawn: () => process,
      childrenOf: () => [],
      signal: (pid: number, signal: string) => steps.push(`${signal} to ${pid}`),
    },
  } as unknown as SupervisorHost;
  await runSupervisor(host, () => Promise.reject(new Error('no life was given')));
  expect(steps).toEqual(['started', 'SIGKILL to -7', 'failed']);
});
