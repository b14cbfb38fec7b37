import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

import { attempt, command, env, newFolder } from '../../test/fixtures/processes/attempt.ts';
import type { AttemptOptions } from '../../test/fixtures/processes/attempt.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { CommandHandler } from '../model/hook.ts';
import { liveUnitsMax, tailUnitsMax } from './output-tail.ts';

/** Number of bytes of output, many times the limits of the kept and of the shown output. */
const floodBytes = 128 * 1024 ** 2;

/**
 * The memory is measured once in this number of outputs: each measurement first collects garbage, which takes
 * milliseconds.
 */
const OUTPUTS_PER_LOOK = 100;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Reachable bytes, in the heap and outside it. Two collections, since V8 frees the buffers that the first one has found
 * only at the start of the second.
 */
function heldBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Shown {
  readonly result: AttemptResult;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

async function watch(handler: CommandHandler, options: AttemptOptions = {}): Promise<Shown> {
  const shown = { stdout: [] as string[], stderr: [] as string[] };
  const onOutput = (stream: 'stdout' | 'stderr', text: string): void => {
    shown[stream].push(text);
  };
  return { result: await attempt(handler, { ...options, onOutput }), ...shown };
}

describe('a command', () => {
  test('receives exactly its argv, including argv[0], without a shell', async () => {
    const argv = ['not cat', '/proc/self/cmdline', '', '$HOME', '*', ';false', `a"b'c\\`, 'ü\n'];
    const result = await attempt({ kind: 'command', path: '/bin/cat', command: argv, env });
    expect(result.stdout.text.split('\0').slice(0, -1)).toEqual(argv);
  });

  test('receives exactly its environment', async () => {
    const given = { PATH: '/bin', EMPTY: '', ODD: 'a=b\nc', 'not a name': '1' };
    const result = await attempt({ kind: 'command', command: ['env', '-0'], env: given });
    const received = result.stdout.text.split('\0').slice(0, -1).toSorted();
    expect(received).toEqual(['EMPTY=', 'ODD=a=b\nc', 'PATH=/bin', 'not a name=1']);
  });

  test('receives an empty environment by default', async () => {
    const result = await attempt({ kind: 'command', command: ['env'] });
    expect(result).toMatchObject({ outcome: 'Succeeded', stdout: { text: '' } });
  });

  test('runs in its working directory, and resolves a relative program there', async () => {
    const folder = newFolder();
    const handler = { kind: 'command', command: ['pwd', '-P'], env, cwd: folder } as const;
    expect((await attempt(handler)).stdout.text).toBe(`${folder}\n`);
    const relative = { kind: 'command', command: ['./true'], env, cwd: '/bin' } as const;
    expect((await attempt(relative)).outcome).toBe('Succeeded');
    rmSync(folder, { recursive: true });
  });
});

describe('the output of a command', () => {
  test('is decoded without splitting a character, with invalid bytes replaced', async () => {
    const { result, stdout } = await watch(command('cuts-a-character.sh'));
    expect(result.stdout).toEqual({ text: 'café \uFFFD \uFFFD', totalBytes: 10 });
    expect(stdout.join('')).toBe('café \uFFFD \uFFFD');
  });

  test('is kept as a tail, separately for stdout and stderr, with its total size', async () => {
    const script = 'echo one >&2; yes 123456789 | head -c 500000; echo two >&2; printf the-end';
    const { result } = await watch({ kind: 'command', command: ['sh', '-c', script], env });
    expect(result.stdout.totalBytes).toBe(500_007);
    expect(result.stdout.text).toHaveLength(tailUnitsMax);
    expect(result.stdout.text.endsWith('123456789\nthe-end')).toBe(true);
    expect(result.stderr).toEqual({ text: 'one\ntwo\n', totalBytes: 8 });
  });

  test('does not increase the memory of Lifehook with its length', async () => {
    const heldBefore = heldBytes();
    let held = heldBefore;
    let shownUnits = 0;
    let outputs = 0;
    let last = '';
    const onOutput = (stream: string, text: string): void => {
      shownUnits += text.length;
      last = text;
      // Measured at the line on stderr in any case: it comes last, when all the kept output is reachable.
      if (outputs % OUTPUTS_PER_LOOK === 0 || stream === 'stderr')
        held = Math.max(held, heldBytes());
      outputs += 1;
    };
    // With a secret, as in production: with masking, the code path is the longest.
    const result = await attempt(command('floods-stdout.sh', { args: [String(floodBytes)] }), {
      onOutput,
      secrets: ['not-in-there'],
    });
    expect(result).toMatchObject({ outcome: 'Succeeded', stdout: { totalBytes: floodBytes } });
    expect(result.stderr.text).toBe('done\n');
    expect(shownUnits).toBeLessThan(liveUnitsMax + 1000);
    expect(last).toBe('done\n');
    expect(held - heldBefore).toBeLessThan(floodBytes / 2);
  });
});

describe('a secret', () => {
  const secret = 'open-sesame-471100';
  const handler = command('cuts-a-secret.sh', { env: { ...env, SECRET_WORD: secret } });

  test('is masked in live and kept output, also when it is written in two pieces', async () => {
    const { result, stdout, stderr } = await watch(handler);
    expect(result.stdout.text).toBe('one *** two ***');
    expect(result.stderr.text).toBe('also ***\n');
    expect(stdout.join('')).toBe('one *** two ***');
    expect(stderr.join('')).toBe('also ***\n');
  });

  test('is not masked if the output ends with only a prefix of it', async () => {
    const beginning = { kind: 'command', command: ['printf', 'hunter2'], env } as const;
    const { result, stdout } = await watch(beginning, { secrets: ['hunter22'] });
    expect(result.stdout).toEqual({ text: 'hunter2', totalBytes: 7 });
    expect(stdout.join('')).toBe('hunter2');
  });

  test('of the hook is masked in the output and in the reason', async () => {
    const missing = await attempt(
      { kind: 'command', command: ['/no/such/hunter22'], env },
      { secrets: ['hunter22'] },
    );
    expect(missing.reason).toContain('"/no/such/***"');
    const { result } = await watch(
      { kind: 'command', command: ['echo', 'hunter22'], env },
      { secrets: ['hunter22'] },
    );
    expect(result.stdout.text).toBe('***\n');
  });
});
