import { expect, it } from 'vitest';

import { ended } from '../../test/sim/engine/scene.ts';
import { HandTimers } from '../../test/fixtures/kube/hand-timers.ts';
import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import type { AttemptResult } from '../model/attempt.ts';
import { neverCancelled, type AttemptRequest } from './act.ts';
import { BACKSTOP_GRACE_MS, makeAttempt } from './make-attempt.ts';

const request: AttemptRequest = {
  runId: 'run',
  step: 'a',
  attempt: 1,
  timeoutMs: 5_000,
  signal: neverCancelled,
};

it('an attempt runs its handler, which writes output, when there is no listener', async () => {
  const result = await makeAttempt({
    act: async ({ onOutput }) => {
      onOutput?.('stdout', 'text');
      return ended('Succeeded');
    },
    request,
    platform: handTime().platform,
  });
  expect(result.outcome).toBe('Succeeded');
});

it('an attempt of a silent handler ends with no output after its timeout and the grace', async () => {
  const { platform, advance } = handTime();
  advance(1_000);
  const making = makeAttempt({ act: () => new Promise(() => {}), request, platform });
  advance(5_000 + BACKSTOP_GRACE_MS);
  const nothing = { text: '', totalBytes: 0 };
  expect(await making).toEqual({
    outcome: 'Unknown',
    exitCode: null,
    signal: null,
    durationMs: 5_000 + BACKSTOP_GRACE_MS,
    stdout: nothing,
    stderr: nothing,
    reason: 'its handler did not answer within 35 s (its timeout was 5 s)',
  });
});

it('an attempt that has ended leaves no timer, also after a cancellation', async () => {
  const timers = new HandTimers();
  const cancel = new AbortController();
  const platform = { clock: handTime().platform.clock, timers };
  const act = async (): Promise<AttemptResult> => {
    cancel.abort();
    return ended('Cancelled');
  };
  await makeAttempt({ act, request: { ...request, signal: cancel.signal }, platform });
  expect([timers.count, timers.waiting]).toEqual([2, []]);
});
