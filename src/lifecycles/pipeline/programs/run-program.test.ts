import { afterEach, describe, expect, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { exitsSoon, pause, pidIn } from '../../../../test/fixtures/processes/attempt.ts';
import { programFailure, runProgram } from './run-program.ts';

const stands: BuildStand[] = [];

function stand(...more: Parameters<typeof buildStand>): BuildStand {
  const made = buildStand(...more);
  stands.push(made);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const sh = (script: string): string[] => ['sh', '-c', script];

describe('a program', () => {
  test('has its output reported by line under its source, its own variables over those of the caller, and its stdin', async () => {
    const s = stand({
      context: { callerEnv: { PATH: '/usr/bin:/bin', A: 'caller', B: 'caller' } },
    });
    const result = await runProgram(
      {
        argv: sh('echo $A $B; cat; printf last >&2'),
        cwd: s.folder,
        env: { A: 'own' },
        stdin: 'in\n',
        source: 'helm/web',
      },
      s.session,
    );
    expect(result).toMatchObject({ outcome: 'Succeeded', exitCode: 0, stdout: '', tail: 'last' });
    expect(s.lines().toSorted()).toEqual([
      'helm/web: in',
      'helm/web: last',
      'helm/web: own caller',
    ]);
  });

  test('with captured stdout returns it whole, and has only stderr reported, with secrets masked', async () => {
    const s = stand({
      context: { callerEnv: { PATH: '/usr/bin:/bin', API_TOKEN: 'hidden-value' } },
    });
    const script = 'echo answer $API_TOKEN; echo said $API_TOKEN >&2';
    const result = await runProgram(
      { argv: sh(script), cwd: s.folder, source: 'git', capture: 'stdout' },
      s.session,
    );
    expect(result.stdout).toBe('answer hidden-value\n');
    expect(s.lines()).toEqual(['git: said ***']);
  });

  test('that fails has its last lines and its own exit code in the failure', async () => {
    const s = stand();
    const result = await runProgram(
      { argv: sh('echo one >&2; echo two >&2; exit 7'), cwd: s.folder, source: 'p' },
      s.session,
    );
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 7, tail: 'one\ntwo' });
    expect(programFailure(result, { title: 'The build of web failed', next: 'mend it.' })).toEqual({
      outcome: 'Failed',
      exitCode: 7,
      message: [
        'The build of web failed: The command exited with code 7.',
        '  | one',
        '  | two',
        '  next: mend it.',
      ].join('\n'),
    });
  });

  test('that is not on PATH fails with exit code 1 instead of rejecting', async () => {
    const s = stand();
    const result = await runProgram(
      { argv: ['no-such-program'], cwd: s.folder, source: 'p' },
      s.session,
    );
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: null });
    expect(result.reason).toContain('is not on PATH');
    expect(programFailure(result, { title: 't', next: 'n' }).exitCode).toBe(1);
  });

  test('past its deadline fails with exit code 124', async () => {
    const s = stand();
    const result = await runProgram(
      { argv: ['sleep', '60'], cwd: s.folder, source: 'p', timeoutSeconds: 0.1 },
      s.session,
    );
    expect(result.outcome).toBe('TimedOut');
    expect(programFailure(result, { title: 't', next: 'n' })).toMatchObject({
      outcome: 'Failed',
      exitCode: 124,
    });
  });

  test('is killed with its process group on cancellation', async () => {
    const cancel = new AbortController();
    const s = stand({ context: { signal: cancel.signal } });
    const running = runProgram(
      { argv: sh('trap wait TERM; sleep 60 & echo $!; wait'), cwd: s.folder, source: 'p' },
      s.session,
    );
    while (s.lines().length === 0) await pause(5);
    cancel.abort();
    const result = await running;
    expect(programFailure(result, { title: 't', next: 'n' })).toMatchObject({
      outcome: 'Cancelled',
      exitCode: 130,
    });
    expect(await exitsSoon(pidIn(s.lines()[0]?.slice(3) ?? ''))).toBe(true);
  });
});
