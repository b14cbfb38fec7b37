import { getActiveResourcesInfo } from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';

import {
  env,
  fixture,
  isGoneSoon,
  isRunning,
  pause,
  pidIn,
} from '../../test/fixtures/processes/attempt.ts';
import type { RunningProcess } from './platform.ts';
import { nodeProcesses } from './processes.ts';

const leftAlive: number[] = [];

afterEach(() => {
  for (const pid of leftAlive.splice(0)) {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

interface Started {
  readonly running: RunningProcess;
  readonly output: () => string;
}

function start(argv: readonly string[], onPath?: string): Started {
  let output = '';
  const running = nodeProcesses.spawn({
    file: onPath ?? argv[0] ?? '',
    argv,
    env,
    onOutput: (_, text) => {
      output += text;
    },
  });
  return { running, output: () => output };
}

function openPipes(): number {
  return getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
}

describe('a started process', () => {
  test('leads its own process group', async () => {
    const { running, output } = start([
      'sh',
      '-c',
      'read -r _ _ _ _ group _ </proc/$$/stat; echo $group',
    ]);
    await running.exited;
    expect(Number(output())).toBe(running.pid);
  });

  test('is found on the PATH of the caller, not on that of its environment', async () => {
    const running = nodeProcesses.spawn({ file: 'true', argv: ['true'], env: { PATH: '/none' } });
    expect(await running.exited).toEqual({ code: 0, signal: null });
  });

  test('leaves none of our pipes open when a grandchild holds the other end', async () => {
    const before = openPipes();
    const { running, output } = start([fixture('grandchild-holds-pipe.sh')]);
    await running.exited;
    leftAlive.push(pidIn(output()));
    await expect.poll(openPipes, { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });

  test('keeps its pipes open from the first signal until KILL', async () => {
    const before = openPipes();
    const { running, output } = start([fixture('runaway-holds-pipe.sh')]);
    while (output() === '') await pause(5);
    leftAlive.push(pidIn(output()));
    running.signalGroup('SIGTERM');
    expect(await running.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(openPipes()).toBeGreaterThan(before);
    running.signalGroup('SIGKILL');
    await expect.poll(openPipes, { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });
});

describe('a process group', () => {
  test('is alive while a member is, and signals all members', async () => {
    const { running, output } = start([fixture('grandchild-holds-pipe.sh')]);
    await running.exited;
    const grandchild = pidIn(output());
    leftAlive.push(grandchild);
    expect(running.groupAlive()).toBe(true);
    running.signalGroup('SIGKILL');
    expect(await isGoneSoon(grandchild)).toBe(true);
  });

  test('whose processes have exited is not alive, and can be signalled without an error', async () => {
    const { running } = start(['true']);
    await running.exited;
    expect(running.groupAlive()).toBe(false);
    expect(() => {
      running.signalGroup('SIGTERM');
    }).not.toThrow();
  });

  test('of a program that could not be started is never another group', async () => {
    const unfound = start(['/no/such/program']).running;
    const refused = start([fixture('empty')]).running;
    for (const running of [unfound, refused]) {
      await expect(running.exited).rejects.toMatchObject({
        code: expect.stringMatching(/^(ENOENT|ENOEXEC)$/),
      });
      // A signal to the group 0 would reach ourselves.
      expect([running.pid, running.groupAlive()]).toEqual([0, false]);
      running.signalGroup('SIGKILL');
    }
  });
});
