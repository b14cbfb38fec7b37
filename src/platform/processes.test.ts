import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';

import {
  env,
  fixture,
  exitsSoon,
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

/**
 * The targets of this process's descriptors. Unrelated descriptors may close at any moment, so a test follows only
 * those that a start has opened.
 */
function descriptors(): ReadonlySet<string> {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // The descriptor of the listing itself.
    }
  });
  return new Set(links.filter((link) => link.startsWith('socket:')));
}

/** Starts a process; `openPipes` counts those of its pipes that are still open in this process. */
function startWithPipes(argv: readonly string[]): Started & { readonly openPipes: () => number } {
  const before = descriptors();
  const started = start(argv);
  const own = [...descriptors()].filter((link) => !before.has(link));
  return { ...started, openPipes: () => own.filter((link) => descriptors().has(link)).length };
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
    const { running, output, openPipes } = startWithPipes([fixture('grandchild-holds-pipe.sh')]);
    expect(openPipes()).toBeGreaterThan(0);
    await running.exited;
    leftAlive.push(pidIn(output()));
    await expect.poll(openPipes).toBe(0);
  });

  test('keeps its pipes open from the first signal until KILL', async () => {
    const { running, output, openPipes } = startWithPipes([fixture('runaway-holds-pipe.sh')]);
    while (output() === '') await pause(5);
    leftAlive.push(pidIn(output()));
    running.signalGroup('SIGTERM');
    expect(await running.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(openPipes()).toBeGreaterThan(0);
    running.signalGroup('SIGKILL');
    await expect.poll(openPipes).toBe(0);
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
    expect(await exitsSoon(grandchild)).toBe(true);
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
      // The pid is 0: a signal to group 0 would reach the group of this test, so none is sent.
      expect([running.pid, running.groupAlive()]).toEqual([0, false]);
      running.signalGroup('SIGKILL');
    }
  });
});
