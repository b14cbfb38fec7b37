import { describe, expect, it } from 'vitest';

import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { describeFailure, type HookFailure } from './plan-point.ts';

const said = (text: string): AttemptResult['stdout'] => ({ text, totalBytes: text.length });

function described(
  output: { readonly stdout?: string; readonly stderr?: string } = {},
  more: Partial<HookFailure> = {},
): ReturnType<typeof describeFailure> {
  const { stdout = '', stderr = '' } = output;
  const bare = bareResult('Failed', 'The command exited with code 3.', 4);
  return describeFailure({
    name: 'createRuntime hook #1 of container web',
    placed: {
      hook: { path: '/bin/net' },
      source: { kind: 'file', file: '/b/config.json', line: 7, column: 5 },
    },
    attempt: { ...bare, stdout: said(stdout), stderr: said(stderr) },
    severity: 'error',
    ...more,
  });
}

describe('a failed hook (OCI-CASE29)', () => {
  it('is an error that names it, how it ended, what it said and where it is defined', () => {
    expect(described({ stdout: ' out \n', stderr: 'err\n' })).toEqual({
      code: 'LHC220',
      severity: 'error',
      message:
        'createRuntime hook #1 of container web (/bin/net) failed. The command exited with code 3. It printed: "err\nout".',
      at: { file: '/b/config.json', line: 7, column: 5 },
      next: 'Fix or remove the hook; then create the container again.',
    });
  });

  it('is a warning where it stops nothing', () => {
    expect(described({}, { severity: 'warning' })).toMatchObject({
      code: 'LHC221',
      severity: 'warning',
      next: 'Fix or remove the hook; its failure stops nothing.',
    });
  });

  it('has said nothing where its output is blank', () => {
    expect(described({ stdout: ' \n' }).message).toMatch(/code 3\. It printed nothing\.$/);
  });

  it('is quoted with the last thousand characters of each stream', () => {
    const { message } = described({ stderr: `x${'y'.repeat(1_000)}` });
    expect(message.endsWith(` It printed: "${'y'.repeat(1_000)}".`)).toBe(true);
  });

  it('is placed at the beginning of config.json where it is defined in no file', () => {
    const source = { kind: 'object', object: 'x' } as const;
    const placed = { hook: { path: '/bin/net' }, source };
    expect(described({}, { placed }).at).toEqual({ file: 'config.json', line: 1, column: 1 });
  });
});
