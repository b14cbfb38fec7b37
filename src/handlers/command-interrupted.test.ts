import { describe, expect, test } from 'vitest';

import { attempt, command } from '../../test/fixtures/processes/attempt.ts';
import { handTime } from '../../test/fixtures/processes/hand-time.ts';
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
