import { afterEach, expect, test } from 'vitest';

import { type HookStand, hookStand } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { exitsSoon, isRunning, pidIn } from '../../../../test/fixtures/processes/attempt.ts';
import type { RunningProcess } from '../../../platform/platform.ts';
import { watchLeftovers } from './leftovers.ts';
import { DEFAULT_POLICY, type HookPolicy } from './model.ts';

const stands: HookStand[] = [];
const leftAlive: number[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
  for (const pid of leftAlive.splice(0)) {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

interface Left {
  readonly pid: number;
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  readonly outcome: string;
}

/** Runs a hook that exits at once, and leaves a background process. */
async function leave(background: string, policy: Partial<HookPolicy>): Promise<Left> {
  const s = hookStand();
  stands.push(s);
  const hook = shell(`${background} & echo $!`, {
    address: 'h',
    policy: { ...DEFAULT_POLICY, ...policy },
  });
  const { outcome } = await s.run([hook]);
  const lines = s.lines().map((line) => line.replace('h: ', ''));
  const warnings = s.events.flatMap((one) => (one.type === 'Warning' ? [one.message] : []));
  const pid = pidIn(lines.join('\n'));
  leftAlive.push(pid);
  return { pid, lines, warnings, outcome };
}

test('a process that a hook leaves in its group runs on, with a warning that names the group', async () => {
  const { pid, warnings, outcome } = await leave('sleep 60', {});
  expect(outcome).toBe('Succeeded');
  expect(isRunning(pid)).toBe(true);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^h: It exited and left processes running in its process group \d+\./u,
  );
});

test('a service in a session of its own runs on without a warning', async () => {
  const { pid, warnings } = await leave('setsid sleep 60', {});
  expect(isRunning(pid)).toBe(true);
  expect(warnings).toEqual([]);
});

test('onLeftover: terminate kills it, also when it ignores TERM', async () => {
  const { pid, warnings } = await leave(`(trap '' TERM; sleep 60)`, { onLeftover: 'terminate' });
  expect(await exitsSoon(pid)).toBe(true);
  expect(warnings).toEqual([]);
});

test('PIPE-P8: onLeftover: terminate is over only when the kernel has ended the killed group', async () => {
  let now = 0;
  let killedAtMs = Infinity;
  const slowMs = 30;
  const running: RunningProcess = {
    pid: 7,
    exited: Promise.resolve({ code: 0, signal: null }),
    signalGroup: (signal) => {
      if (signal === 'SIGKILL') killedAtMs = now;
    },
    groupAlive: () => now < killedAtMs + slowMs,
  };
  const leftovers = watchLeftovers(
    { onLeftover: 'terminate' },
    {
      processes: { spawn: () => running },
      clock: { nowMs: () => now, monotonicMs: () => now },
      timers: {
        after: (ms, callback) => {
          queueMicrotask(() => {
            now += ms;
            callback();
          });
          return () => undefined;
        },
      },
    },
  );
  leftovers.processes.spawn({ file: 'x', argv: ['x'], env: {} });
  expect(await leftovers.settle()).toBeNull();
  expect(running.groupAlive()).toBe(false);
});

test('onLeftover: wait waits for its end and gets what it prints until then', async () => {
  const { pid, lines, warnings } = await leave('(sleep 0.5; echo late)', { onLeftover: 'wait' });
  expect(isRunning(pid)).toBe(false);
  expect(lines).toContain('late');
  expect(warnings).toEqual([]);
});

test('onLeftover: wait waits no longer than the deadline of the hook', async () => {
  const policy = { onLeftover: 'wait', timeoutSeconds: 1 } as const;
  const { pid, outcome } = await leave('sleep 60', policy);
  expect(outcome).toBe('Failed');
  expect(await exitsSoon(pid)).toBe(true);
});
