import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { type HookStand, hookStand } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { hostHook, shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { exitsSoon, isRunning, pause, pidIn } from '../../../../test/fixtures/processes/attempt.ts';

const stands: HookStand[] = [];

function stand(...more: Parameters<typeof hookStand>): HookStand {
  const made = hookStand(...more);
  stands.push(made);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

describe('host hooks of a list', () => {
  test('PIPE-CASE1: run one after another in the environment of the caller, and report start and end (PIPE-S3)', async () => {
    const s = stand({ callerEnv: { PATH: '/usr/bin:/bin', FOO: 'bar' } });
    const result = await s.run([
      shell('sleep 0.1; echo $FOO', { address: 'a' }),
      shell('echo second', { address: 'b' }),
    ]);
    expect(result).toEqual({ outcome: 'Succeeded', exitCode: 0, failure: null });
    expect(s.lines()).toEqual(['a: bar', 'b: second']);
    expect(s.callbacks()).toEqual(['a InProgress', 'a Completed', 'b InProgress', 'b Completed']);
  });

  test('PIPE-V1: report their type with each status', async () => {
    const s = stand();
    await s.run([
      shell('true', { address: 'a' }),
      shell('exit 3', { address: 'b', phase: 'sync', when: 'after' }),
    ]);
    const type = 'HostCallbackEvent';
    expect(s.events.filter((event) => event.type === type)).toMatchObject([
      { type, callback: 'pre-build', address: 'a', status: 'InProgress' },
      { type, callback: 'pre-build', address: 'a', status: 'Completed', exitCode: 0 },
      { type, callback: 'post-sync', address: 'b', status: 'InProgress' },
      { type, callback: 'post-sync', address: 'b', status: 'Failed', exitCode: 3 },
    ]);
  });

  test('PIPE-CASE17: get their arguments unchanged, without a shell (PIPE-S4)', async () => {
    const s = stand();
    await s.run([
      hostHook(['printf', '%s|', 'a b', '*', '${HOME} $HOME', '{{.X}}'], { address: 'a' }),
    ]);
    expect(s.lines()).toEqual(['a: a b|*|${HOME} $HOME|{{.X}}|']);
  });

  test('PIPE-CASE19: stop at the first failure and return its exit code', async () => {
    const s = stand();
    const result = await s.run([
      shell('echo one >&2; echo two >&2; exit 3', { address: 'build/web/before/0' }),
      shell('touch ran', { address: 'b' }),
    ]);
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 3 });
    expect(readdirSync(s.folder)).not.toContain('ran');
    expect(result.failure?.message).toBe(
      [
        '/p/skaffold.yaml:12:9: error LHL201: The hook build/web/before/0 failed: The command exited with code 3.',
        `  command: sh -c 'echo one >&2; echo two >&2; exit 3'`,
        '  | one',
        '  | two',
        '  again: lifehook pipeline rerun run-1',
      ].join('\n'),
    );
    expect(s.callbacks()).toEqual(['build/web/before/0 InProgress', 'build/web/before/0 Failed']);
  });

  test('PIPE-CASE2: of another system are reported as Skipped', async () => {
    const s = stand();
    const result = await s.run([
      shell('exit 9', { address: 'a', action: { os: ['windows'] } }),
      shell('echo b', { address: 'b' }),
    ]);
    expect(result.exitCode).toBe(0);
    expect(s.callbacks()).toEqual(['a Skipped', 'b InProgress', 'b Completed']);
  });

  test('continue after a failure with onFailure warn or ignore', async () => {
    const s = stand();
    const result = await s.run([
      shell('exit 4', { address: 'a', policy: { onFailure: 'warn' } }),
      shell('exit 5', { address: 'b', policy: { onFailure: 'ignore' } }),
      shell('true', { address: 'c' }),
    ]);
    expect(result.exitCode).toBe(0);
    const warned = s.events.filter(({ type }) => type === 'Warning');
    expect(warned).toMatchObject([
      { code: 'LHL201', message: expect.stringContaining('hook a failed') },
    ]);
    expect(s.callbacks()).toContain('c Completed');
  });

  test.each(['warn', 'ignore', 'fail'] as const)(
    'are pending again after a failure, also with onFailure %s, and not after a success',
    async (onFailure) => {
      const s = stand();
      const inputs = { run: 'changed', inputs: ['a'], onFailure } as const;
      const once = { run: 'once-per-session', onFailure } as const;
      const fails = [
        shell('exit 3', { address: 'changed', policy: inputs }),
        shell('exit 3', { address: 'once', policy: once }),
      ];
      const digests = new Map([
        ['changed', 'd1'],
        ['fine', 'd2'],
      ]);
      const { history } = s.context;
      const facts = { goos: 'linux', cached: false, syncFiles: null, digests, history } as const;
      for (const hook of fails) await s.run([hook], { facts });
      await s.run([shell('true', { address: 'fine', policy: inputs })], { facts });
      expect(['changed', 'fine'].map((one) => history.lastDigest(one))).toEqual([null, 'd2']);
      expect(['changed', 'once', 'fine'].map((one) => history.succeededInSession(one))).toEqual([
        false,
        false,
        true,
      ]);
    },
  );

  test('are retried as often as their policy says', async () => {
    const s = stand();
    const script = 'echo x >> tries; test $(wc -l < tries) -ge 3';
    const result = await s.run([shell(script, { policy: { retries: 2, backoffSeconds: 0 } })]);
    expect(result.exitCode).toBe(0);
    const started = s.ledger.records.filter(({ type }) => type === 'AttemptStarted');
    expect(started).toHaveLength(3);
  });

  test('fail at their timeout with exit code 124', async () => {
    const s = stand();
    const result = await s.run([shell('exec sleep 60', { policy: { timeoutSeconds: 0.1 } })]);
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 124 });
  });

  test('of onError and finally all run, also after a failure and a cancellation', async () => {
    const cancel = new AbortController();
    cancel.abort();
    const s = stand({ signal: cancel.signal });
    const result = await s.run([
      shell('exit 6', { address: 'a', when: 'finally' }),
      shell('echo b', { address: 'b', when: 'onError' }),
    ]);
    expect(result.exitCode).toBe(6);
    expect(s.lines()).toEqual(['b: b']);
    expect(await s.run([shell('echo c')])).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
  });

  test('PIPE-CASE25: are killed with their process group on cancellation, also when they trap INT', async () => {
    const cancel = new AbortController();
    const s = stand({ signal: cancel.signal });
    const running = s.run([
      shell("trap '' INT; trap wait TERM; sleep 60 & echo $!; wait", { address: 'a' }),
    ]);
    while (s.lines().length === 0) await pause(5);
    const child = pidIn(s.lines()[0]?.slice(3) ?? '');
    cancel.abort();
    expect(await running).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
    expect(await exitsSoon(child)).toBe(true);
  });

  test('PIPE-CASE42: run in the working directory, or in their own dir (PIPE-S10, PIPE-B11)', async () => {
    const s = stand();
    const dir = join(s.folder, 'sub');
    mkdirSync(dir);
    await s.run([shell('pwd', { address: 'a' }), shell('pwd', { address: 'b', action: { dir } })]);
    expect(s.lines()).toEqual([`a: ${realpathSync(s.folder)}`, `b: ${realpathSync(dir)}`]);
  });

  test('do not block the list when they leave a background child behind (PIPE-B10)', async () => {
    const s = stand();
    await s.run([shell('sleep 600 & echo $!', { address: 'a' })]);
    const child = pidIn(s.lines()[0]?.slice(3) ?? '');
    expect(isRunning(child)).toBe(true);
    process.kill(child, 'SIGKILL');
  });

  test('name no run to repeat when they are cancelled while they wait for a lock', async () => {
    const interrupt = new AbortController();
    const s = stand({ signal: interrupt.signal });
    const release = await s.context.locks.hold('l', s.context.signal);
    const ended = s.run([shell('true', { policy: { lock: 'l' } })]);
    interrupt.abort();
    const { outcome, failure } = await ended;
    release?.();
    expect(outcome).toBe('Cancelled');
    expect(failure?.message).toContain('while it waited for the lock "l"');
    expect(failure?.message).not.toContain('rerun');
  });

  test('with the same lock never run in parallel (PIPE-B13)', async () => {
    const s = stand();
    const script = 'mkdir held && sleep 0.1 && rmdir held';
    const runs = ['a', 'b', 'c'].map((address) =>
      s.run([shell(script, { address, policy: { lock: 'l' } })]),
    );
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  });

  test('report a last line without a line feed as a line of its own, and stderr separately', async () => {
    const s = stand();
    await s.run([
      shell('printf a; printf b >&2', { address: 'x' }),
      shell('printf c', { address: 'y' }),
    ]);
    const reported = s.events.filter((event) => event.type === 'Output');
    expect(reported).toContainEqual({ type: 'Output', source: 'x', stream: 'stderr', line: 'b' });
    expect(s.lines().toSorted()).toEqual(['x: a', 'x: b', 'y: c']);
  });
});

test('a hook whose program cannot be started fails with exit code 1', async () => {
  const s = stand();
  const result = await s.run([hostHook(['./missing'])]);
  expect(result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
});
