import { describe, expect, test } from 'vitest';

import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import type { AttemptRequest } from '../engine/act.ts';
import type { ExecOptions } from '../kube/exec.ts';
import type { ExecResult } from '../kube/exec-result.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { ExecHandler } from '../model/hook.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { makeRunHandler } from './act.ts';
import type { ExecPort } from './exec.ts';

const freeze: ExecHandler = {
  kind: 'exec',
  command: ['fsfreeze', '-f', '/data'],
  namespace: 'shop',
  pod: 'db-0',
  container: 'db',
};

interface Attempt extends Partial<AttemptRequest> {
  readonly handler?: ExecHandler;
  readonly exec?: ExecPort;
  readonly platform?: Platform;
}

function attempt({
  exec,
  handler = freeze,
  platform = nodePlatform,
  ...request
}: Attempt): Promise<AttemptResult> {
  return makeRunHandler({ ...platform, ...(exec === undefined ? {} : { exec }) })(handler, {
    runId: 'run',
    step: 'freeze',
    attempt: 1,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    ...request,
  });
}

const ending =
  (result: ExecResult): ExecPort =>
  () =>
    Promise.resolve(result);

describe('an exec hook', () => {
  test('runs its command in the named container, within its timeout', async () => {
    const asked: ExecOptions[] = [];
    const exec: ExecPort = (options) => {
      asked.push(options);
      return Promise.resolve({ outcome: 'exited', exitCode: 0 });
    };
    expect(await attempt({ exec })).toMatchObject({
      outcome: 'Succeeded',
      exitCode: 0,
      signal: null,
      reason: 'The command exited with code 0.',
    });
    const { kind: _kind, ...target } = freeze;
    expect(asked[0]).toMatchObject({ ...target, timeoutMs: 30_000 });
    await attempt({
      exec,
      timeoutMs: null,
      handler: { kind: 'exec', command: ['x'], namespace: 'a', pod: 'b' },
    });
    expect(asked[1]).not.toHaveProperty('timeoutMs');
    expect(asked[1]).not.toHaveProperty('container');
  });

  const mayRun = 'it may still be running in the container';

  test.each<[ExecResult, Pick<AttemptResult, 'outcome' | 'exitCode' | 'reason'>]>([
    [
      { outcome: 'exited', exitCode: 3 },
      { outcome: 'Failed', exitCode: 3, reason: 'The command exited with code 3.' },
    ],
    [
      { outcome: 'failed', status: { message: 'pods "db-0" not found' } },
      {
        outcome: 'Failed',
        exitCode: null,
        reason: 'The command was not started: pods "db-0" not found.',
      },
    ],
    [
      { outcome: 'failed', status: { reason: 'Forbidden' } },
      { outcome: 'Failed', exitCode: null, reason: 'The command was not started: Forbidden.' },
    ],
    [
      { outcome: 'failed', status: {} },
      {
        outcome: 'Failed',
        exitCode: null,
        reason: 'The command was not started: no reason was given.',
      },
    ],
    [
      { outcome: 'unknown', cause: 'timedOut', reason: 'r' },
      {
        outcome: 'TimedOut',
        exitCode: null,
        reason: `The command did not end within 30 s; ${mayRun}.`,
      },
    ],
    [
      { outcome: 'unknown', cause: 'cancelled', reason: 'r' },
      { outcome: 'Cancelled', exitCode: null, reason: `The command was cancelled; ${mayRun}.` },
    ],
    [
      { outcome: 'unknown', cause: 'lost', reason: 'the connection broke' },
      {
        outcome: 'Unknown',
        exitCode: null,
        reason: `The command ended with an unknown result: the connection broke; ${mayRun}.`,
      },
    ],
  ])('that ends as %j reports %j', async (result, reported) => {
    expect(await attempt({ exec: ending(result) })).toMatchObject(reported);
  });

  test('masks secrets that become known while it runs', async () => {
    const late: string[] = [];
    const exec: ExecPort = async ({ onOutput }) => {
      late.push('hunter22');
      await onOutput?.('stdout', Buffer.from('the password is hunter22\n'));
      return { outcome: 'exited', exitCode: 0 };
    };
    const result = await attempt({ exec, lateSecrets: () => late });
    expect(result.stdout.text).toBe('the password is ***\n');
  });

  test('keeps stdout and stderr separate, decodes whole characters, and masks secrets', async () => {
    const shown: [string, string][] = [];
    const exec: ExecPort = async ({ onOutput }) => {
      const bytes = Buffer.from('Größe hunter22');
      await onOutput?.('stdout', bytes.subarray(0, 3));
      await onOutput?.('stderr', Buffer.from('oh'));
      await onOutput?.('stdout', bytes.subarray(3));
      return { outcome: 'failed', status: { message: 'cannot run [login hunter22]' } };
    };
    const result = await attempt({
      exec,
      secrets: ['hunter22'],
      onOutput: (stream, text) => shown.push([stream, text]),
    });
    expect(result.stdout).toEqual({ text: 'Größe ***', totalBytes: 16 });
    expect(result.stderr).toEqual({ text: 'oh', totalBytes: 2 });
    expect(result.reason).toBe('The command was not started: cannot run [login ***].');
    expect(shown.map(([, text]) => text).join('')).not.toContain('hunter22');
  });

  test('shows that its output ended within a character, and takes as long as its command', async () => {
    const { advance, platform } = handTime();
    advance(1_000);
    const exec: ExecPort = async ({ onOutput }) => {
      await onOutput?.('stdout', Buffer.from('ö').subarray(0, 1));
      await onOutput?.('stderr', Buffer.from('ö').subarray(0, 1));
      advance(7);
      return { outcome: 'exited', exitCode: 0 };
    };
    expect(await attempt({ exec, platform })).toMatchObject({
      durationMs: 7,
      stdout: { text: '\uFFFD', totalBytes: 1 },
      stderr: { text: '\uFFFD', totalBytes: 1 },
    });
  });

  test('is not started without cluster, pod or time, or when cancelled, and names the fix', async () => {
    const never: ExecPort = () => Promise.reject(new Error('must not be called'));
    const noCluster = await attempt({});
    expect(noCluster).toMatchObject({ outcome: 'Failed', exitCode: null });
    expect(noCluster.reason).toContain('no cluster to run in: connect to one. It was not started');
    const unnamed = 'has no pod to run in: its namespace or its pod is not set';
    for (const target of [{}, { pod: 'db-0' }, { namespace: 'shop' }]) {
      const command = { kind: 'exec', command: ['x'], ...target } as const;
      expect(await attempt({ exec: never, handler: command })).toMatchObject({
        outcome: 'Failed',
        reason: `The command ${unnamed}. It was not started.`,
      });
    }
    const tooLate = await attempt({ exec: never, timeoutMs: 0 });
    expect(tooLate).toMatchObject({ outcome: 'TimedOut' });
    const cancelled = await attempt({ exec: never, signal: AbortSignal.abort() });
    expect(cancelled).toMatchObject({ outcome: 'Cancelled' });
    expect(cancelled.reason).toContain('It was not started');
  });
});
