import { describe, expect, test } from 'vitest';

import { attempt, command } from '../../test/fixtures/processes/attempt.ts';
import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { posixError } from '../platform/posix-error.ts';
import type { RunningProcess } from '../platform/platform.ts';
import { graceMsMax } from './command.ts';

describe('a command that Ctrl-C cancels', () => {
  test('gets INT first after Ctrl-C, then TERM at half of its grace, then KILL (ENG-C2)', async () => {
    const controller = new AbortController();
    const { platform, signals } = handTime({ graceFrom: 'SIGTERM' });
    await attempt(command('ignores-int-and-term.sh'), {
      platform,
      signal: controller.signal,
      onOutput: () => {
        controller.abort('SIGINT');
      },
    });
    expect(signals).toEqual([
      ['SIGINT', 0],
      ['SIGTERM', graceMsMax / 2],
      ['SIGKILL', graceMsMax],
    ]);
  });

  test('tidies up on INT as in a terminal, and then gets no other signal (ENG-C2)', async () => {
    const controller = new AbortController();
    const { platform, signals } = handTime();
    const result = await attempt(command('ends-well-on-int.sh'), {
      platform,
      signal: controller.signal,
      onOutput: (_, text) => {
        if (text.includes('ready')) controller.abort('SIGINT');
      },
    });
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: 0 });
    expect(result.stdout.text).toBe('ready\ntidied\n');
    expect(signals.map(([signal]) => signal)).toEqual(['SIGINT', 'SIGKILL']);
  });
});

describe('a command whose launcher is killed', () => {
  test.each([
    ['is Unknown, since it may still be running, so that it is not retried', 'ESRCH', 'Unknown'],
    ['is Failed if it could not be started', 'ENOENT', 'Failed'],
  ])('%s', async (_title, code, outcome) => {
    const exited = Promise.reject(posixError(code, 'no exit was reported'));
    const running = { pid: 4711, exited } as unknown as RunningProcess;
    const processes = { spawn: () => running };
    const handler = { kind: 'command', command: ['true'], env: {} } as const;
    const result = await attempt(handler, { platform: { ...nodePlatform, processes } });
    expect(result).toMatchObject({ outcome, exitCode: null, signal: null });
    expect(result.reason).toContain('no exit was reported');
  });
});
