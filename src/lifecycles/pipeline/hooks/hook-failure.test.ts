import { describe, expect, test } from 'vitest';

import { hostHook } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { type HookFailure, hookFailure } from './hook-failure.ts';

const hook = hostHook(['make', 'a b']);

interface Ended {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly stdout?: string;
  readonly stderr?: string;
}

function resultOf({ exitCode = 3, signal = null, stdout = '', stderr = '' }: Ended): AttemptResult {
  const text = (said: string): AttemptResult['stdout'] => ({
    text: said,
    totalBytes: said.length,
  });
  const bare = bareResult('Failed', 'make exited with code 3.', 0);
  return { ...bare, exitCode, signal, stdout: text(stdout), stderr: text(stderr) };
}

function failure(
  ended: Ended | null,
  more: { readonly outcome?: HookFailure['outcome']; readonly hook?: HookFailure['hook'] } = {},
): HookFailure {
  const result = ended === null ? null : resultOf(ended);
  const run = { hook: more.hook ?? hook, runId: 'run-7' };
  return hookFailure(run, more.outcome ?? 'Failed', { result, reason: 'it never began' });
}

describe('PIPE-W4, PIPE-CASE19: the exit code of the pipeline after a failed hook', () => {
  test.each([
    ['is its own', { exitCode: 3 }, 3],
    [
      'is 128 and the number of the signal that killed it',
      { exitCode: null, signal: 'SIGKILL' },
      137,
    ],
    ['is 1 if it exited with 0 and its values were refused', { exitCode: 0 }, 1],
    ['is 1 if nobody knows how it ended', { exitCode: null }, 1],
    ['is 1 if it never began', null, 1],
  ])('%s', (_, ended, exitCode) => {
    expect(failure(ended).exitCode).toBe(exitCode);
  });

  test('is 124 after its deadline, and 130 if it was interrupted, whatever its own is', () => {
    expect(failure({ exitCode: 3 }, { outcome: 'TimedOut' }).exitCode).toBe(124);
    expect(failure({ exitCode: 3 }, { outcome: 'Cancelled' }).exitCode).toBe(130);
  });
});

describe('the message of a failed hook', () => {
  const rows = (...of: Parameters<typeof failure>): string[] => failure(...of).message.split('\n');

  test('says where it is defined, why it failed, what it said last, and how to run it again', () => {
    const stderr = 'one\ntwo\n\n';
    expect(failure({ stdout: 'unheard', stderr })).toMatchObject({ hook, runId: 'run-7' });
    expect(rows({ stdout: 'unheard', stderr })).toEqual([
      '/p/skaffold.yaml:12:9: error LHL201: The hook build/web/before/0 failed: make exited with code 3.',
      "  command: make 'a b'",
      '  | one',
      '  | two',
      '  again: lifehook pipeline rerun run-7',
    ]);
  });

  test('names a hook that has a name of its own, and gives the reason of one that never began', () => {
    const named = { ...hook, name: 'compile' };
    expect(rows(null, { hook: named })).toEqual([
      '/p/skaffold.yaml:12:9: error LHL201: The hook build/web/before/0 (compile) failed: it never began',
      "  command: make 'a b'",
      '  again: lifehook pipeline rerun run-7',
    ]);
  });

  test('offers no rerun of a hook whose run was not recorded', () => {
    const { message } = hookFailure({ hook, runId: null }, 'Failed', {
      result: null,
      reason: 'no space',
    });
    expect(message.split('\n')).toEqual([
      '/p/skaffold.yaml:12:9: error LHL201: The hook build/web/before/0 failed: no space',
      "  command: make 'a b'",
    ]);
  });

  test('quotes stdout where stderr is blank, and nothing where both are', () => {
    expect(rows({ stdout: 'out\n', stderr: ' \n' })[2]).toBe('  | out');
    expect(rows({})).toHaveLength(3);
  });

  test('quotes the last ten lines, of the last 2048 characters', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
    expect(rows({ stderr: lines }).filter((row) => row.startsWith('  |'))).toEqual(
      Array.from({ length: 10 }, (_, at) => `  | line ${at + 2}`),
    );
    const [, , only = ''] = rows({ stderr: `x${'y'.repeat(2_048)}` });
    expect(only).toBe(`  | ${'y'.repeat(2_048)}`);
  });
});
