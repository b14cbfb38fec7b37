import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import {
  attempt,
  command,
  env,
  fixture,
  exitsSoon,
  isRunning,
  newFolder,
  pidIn,
} from '../../test/fixtures/processes/attempt.ts';
import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Processes } from '../platform/platform.ts';
import { graceMsMax } from './command.ts';

/** Milliseconds; far more than a busy machine needs, and far less than the 60 s for which the fixtures sleep. */
const longWaitMs = 20_000;

const leftAlive: number[] = [];

afterEach(() => {
  for (const pid of leftAlive.splice(0)) {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

describe('a command that exits by itself', () => {
  test('succeeds with exit code 0 and fails with any other', async () => {
    const good = await attempt({ kind: 'command', command: ['true'], env });
    expect(good).toMatchObject({ outcome: 'Succeeded', exitCode: 0, signal: null });
    expect(good.reason).toBe('The command exited with code 0.');
    const bad = await attempt(command('grandchild-holds-pipe.sh', { args: ['3'] }));
    leftAlive.push(pidIn(bad.stderr.text));
    expect(bad).toMatchObject({ outcome: 'Failed', exitCode: 3, signal: null });
  });

  test('fails with the signal that killed it', async () => {
    const result = await attempt(command('dies-of-signal.sh', { args: ['KILL'] }));
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: null, signal: 'SIGKILL' });
    expect(result.reason).toBe('The command was killed by SIGKILL.');
    expect(result.stdout.text).toBe('last words\n');
  });

  test('ends the attempt with its exit, not when it closes its outputs', async () => {
    const result = await attempt(command('closes-stdout.sh'));
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 7 });
    expect(result.stdout.text).toBe('before\n');
  });

  test('ends the attempt with its whole output although a grandchild holds its pipes open (ENG-C1)', async () => {
    const result = await attempt(command('grandchild-holds-pipe.sh'), { timeoutMs: longWaitMs });
    const grandchild = pidIn(result.stderr.text);
    leftAlive.push(grandchild);
    expect(result.outcome).toBe('Succeeded');
    expect(result.stdout.totalBytes).toBe(102_400);
    expect(isRunning(grandchild)).toBe(true);
  });

  test('ends the attempt although a grandchild writes without a pause (ENG-C1)', async () => {
    const result = await attempt(command('grandchild-chatters.sh'), { timeoutMs: longWaitMs });
    leftAlive.push(pidIn(result.stderr.text));
    expect(result.outcome).toBe('Succeeded');
    expect(result.stderr.text).toContain('last words of the leader');
  });

  test('leaves a daemon of the command running after the attempt ends (ENG-C1)', async () => {
    const result = await attempt(command('daemonises.sh'), { timeoutMs: longWaitMs });
    const daemon = pidIn(result.stdout.text);
    leftAlive.push(daemon);
    expect(result.outcome).toBe('Succeeded');
    expect(isRunning(daemon)).toBe(true);
  });
});

describe('a command at its deadline', () => {
  test('gets TERM first, and is TimedOut even if it then exits with 0 (ENG-C2, ENG-C3)', async () => {
    const { advance, ...time } = handTime();
    const result = await attempt(command('ends-well-on-term.sh'), {
      ...time,
      timeoutMs: 4000,
      onOutput: (_, text) => {
        if (text.includes('ready')) advance(4000);
      },
    });
    expect(result).toMatchObject({ outcome: 'TimedOut', exitCode: 0 });
    expect(time.signals[0]).toEqual(['SIGTERM', 4000]);
    expect(result.stdout.text).toBe('ready\ntidied\n');
    expect(result.reason).toBe('The command did not end within 4 s: it exited with code 0.');
  });

  test('gets KILL after the grace if it ignores TERM (ENG-C2)', async () => {
    const { advance, ...time } = handTime({ graceFrom: 'SIGTERM' });
    const result = await attempt(command('ignores-term.sh'), {
      ...time,
      timeoutMs: 1000,
      onOutput: () => {
        advance(1000);
      },
    });
    expect(result).toMatchObject({ outcome: 'TimedOut', exitCode: null, signal: 'SIGKILL' });
    expect(time.signals).toEqual([
      ['SIGTERM', 1000],
      ['SIGKILL', 1250],
    ]);
    expect(await exitsSoon(pidIn(result.stdout.text))).toBe(true);
  });

  test('ends with its grandchild within 0.5 s after a deadline of 1 s (conformance 26)', async () => {
    const { advance, ...time } = handTime({ graceFrom: 'the exit of the leader' });
    const result = await attempt(command('grandchild-ignores-term.sh'), {
      ...time,
      timeoutMs: 1000,
      onOutput: () => {
        advance(1000);
      },
    });
    expect(result).toMatchObject({ outcome: 'TimedOut', signal: 'SIGTERM' });
    expect(result.durationMs).toBeLessThan(1500);
    expect(await exitsSoon(pidIn(result.stdout.text))).toBe(true);
  });

  test('gets the grace for its whole process group, not only for the leader (ENG-C2)', async () => {
    const folder = newFolder();
    const witness = join(folder, 'witness');
    const handler = command('grandchild-tidies-up.sh', { args: [witness] });
    const { advance, passGrace, platform } = handTime();
    const result = await attempt(handler, {
      platform,
      timeoutMs: 4000,
      onOutput: (_, text) => {
        if (text.includes('ready')) advance(4000);
        // The grace period ends here: the exited grandchild stays in the group until init reaps it, maybe much later.
        if (text.includes('tidying')) passGrace();
      },
    });
    expect(result.outcome).toBe('TimedOut');
    expect(result.stdout.text).toBe('ready\ntidying\n');
    expect(readFileSync(witness, 'utf8')).toBe('tidied\n');
    rmSync(folder, { recursive: true });
  });

  test('is never started when no time is left', async () => {
    const result = await attempt(command('ignores-term.sh'), { timeoutMs: 0 });
    expect(result).toMatchObject({ outcome: 'TimedOut', exitCode: null });
    expect(result.reason).toBe('The command had no time left: it was not started.');
  });
});

describe('a cancelled command', () => {
  test('gets TERM, then KILL, with no process of its group left (ENG-C2)', async () => {
    const controller = new AbortController();
    const { platform, signals } = handTime({ graceFrom: 'SIGTERM' });
    const result = await attempt(command('ignores-term.sh'), {
      platform,
      signal: controller.signal,
      onOutput: () => {
        controller.abort();
      },
    });
    expect(result).toMatchObject({ outcome: 'Cancelled', signal: 'SIGKILL' });
    expect(signals).toEqual([
      ['SIGTERM', 0],
      ['SIGKILL', graceMsMax],
    ]);
    expect(await exitsSoon(pidIn(result.stdout.text))).toBe(true);
  });

  test('stays cancelled when its deadline passes during the grace (ENG-C3)', async () => {
    const controller = new AbortController();
    const { advance, ...time } = handTime({ graceFrom: 'SIGTERM' });
    const result = await attempt(command('ignores-term.sh'), {
      ...time,
      signal: controller.signal,
      timeoutMs: 1000,
      onOutput: () => {
        advance(800);
        controller.abort();
      },
    });
    expect(result.outcome).toBe('Cancelled');
    expect(time.signals).toEqual([
      ['SIGTERM', 800],
      ['SIGKILL', 1050],
    ]);
  });

  test('is never started when it is cancelled before', async () => {
    const controller = new AbortController();
    controller.abort();
    const processes: Processes = { spawn: () => expect.unreachable() };
    const result = await attempt(
      { kind: 'command', command: ['true'], env },
      { platform: { ...nodePlatform, processes }, signal: controller.signal },
    );
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: null });
  });
});

describe('the input of a command', () => {
  const megabyte = 'x'.repeat(1024 * 1024);

  test('does not block a command that never reads it', async () => {
    const handler = command('never-reads-stdin.sh', { args: ['0.3'], stdin: megabyte });
    expect(await attempt(handler, { timeoutMs: longWaitMs })).toMatchObject({ exitCode: 0 });
  });

  test('does not delay the deadline of a command that never reads it', async () => {
    const handler = command('never-reads-stdin.sh', { args: ['60'], stdin: megabyte });
    const result = await attempt(handler, { timeoutMs: 100 });
    expect(result.outcome).toBe('TimedOut');
    expect(result.durationMs).toBeLessThan(longWaitMs);
  });

  test('does not fail a command that exits before reading it (EPIPE)', async () => {
    for (let round = 0; round < 20; round += 1) {
      const handler = command('exits-before-reading.sh', { stdin: megabyte });
      expect(await attempt(handler)).toMatchObject({ outcome: 'Succeeded' });
    }
  });

  test('does not fail a command that closes it and keeps running (EPIPE)', async () => {
    const result = await attempt(command('closes-stdin.sh', { stdin: megabyte }));
    expect(result).toMatchObject({ outcome: 'Succeeded' });
  });

  test('arrives completely, and ends', async () => {
    const handler = {
      kind: 'command',
      command: ['sha256sum'],
      env,
      stdin: `é${megabyte}`,
    } as const;
    const expected = await attempt({
      kind: 'command',
      command: [
        'sh',
        '-c',
        String.raw`{ printf '\303\251'; head -c 1048576 /dev/zero | tr '\0' x; } | sha256sum`,
      ],
      env,
    });
    expect((await attempt(handler)).stdout.text).toBe(expected.stdout.text);
  });

  test('is empty when there is none', async () => {
    const handler = { kind: 'command', command: ['cat'], env } as const;
    const result = await attempt(handler, { timeoutMs: longWaitMs });
    expect(result).toMatchObject({ outcome: 'Succeeded', stdout: { totalBytes: 0 } });
  });
});

describe('a command that cannot be started', () => {
  test.each([
    ['/no/such/program', 'does not exist'],
    ['no-such-program-on-path', 'is not on PATH'],
    [fixture('not-executable.sh'), 'may not be executed'],
    [fixture('missing-interpreter.sh'), 'the interpreter or loader that it names does not'],
    [fixture('text-without-interpreter'), 'nor a script with a "#!" line'],
    [fixture('empty'), 'nor a script with a "#!" line'],
    ['/', 'may not be executed'],
    ['', 'is not on PATH'],
  ])('fails with the reason: %s', async (file, why) => {
    const result = await attempt({ kind: 'command', command: [file], env });
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: null, signal: null });
    expect(result.reason).toContain(`The program ${JSON.stringify(file)} `);
    expect(result.reason).toContain(why);
  });

  test('fails with the reason that its working directory is missing or no directory', async () => {
    const handler = { kind: 'command', command: ['true'], env, cwd: '/no/such/folder' } as const;
    const result = await attempt(handler);
    expect(result.outcome).toBe('Failed');
    expect(result.reason).toContain(
      'The working directory "/no/such/folder" of "true" does not exist',
    );
    expect((await attempt({ ...handler, cwd: '/etc/hostname' })).reason).toContain(
      'not a directory',
    );
  });

  test('fails when its arguments are longer than the system allows', async () => {
    const result = await attempt({ kind: 'command', command: ['true', 'x'.repeat(4e6)], env });
    expect(result.outcome).toBe('Failed');
    expect(result.reason).toContain('(E2BIG)');
  });

  test('fails when an argument holds a NUL', async () => {
    const result = await attempt({ kind: 'command', command: ['true', 'a\0b'], env });
    expect(result.outcome).toBe('Failed');
    expect(result.reason).toContain('null bytes');
  });
});
