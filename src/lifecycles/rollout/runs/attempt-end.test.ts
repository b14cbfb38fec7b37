import { describe, expect, it } from 'vitest';

import { hookPod, NOW_MS } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  newRollout,
  open,
  type SampleRun,
  sampleRun,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { PodEnd } from '../hookpod/read-hook-pod.ts';
import { attemptEnd, type Limits, limitsOf } from './decide-attempt.ts';
import type { StageAbort } from './stage.ts';

/** The limits of the first attempt. It began a minute ago, and its stage began 100 s ago. */
function limits(run: SampleRun, created: number | null, abort: StageAbort | null = null): Limits {
  const one = sampleRun({ attempts: [open(1)], ...run });
  const [attempt] = one.status?.attempts ?? [];
  if (attempt === undefined) throw new Error('it has no attempt');
  const pod = created === null ? null : hookPod({ created });
  return limitsOf({ run: one, nowMs: NOW_MS, abort }, attempt, pod);
}

const inSeconds = (seconds: number): number => NOW_MS + seconds * 1_000;
const late = (seconds: number): Limits['stop'] => ({
  outcome: 'TimedOut',
  reason: 'DeadlineExceeded',
  message: `the stage's deadline of ${seconds} s has passed`,
});
const slow = (seconds: number): Limits['stop'] => ({
  outcome: 'TimedOut',
  reason: 'HookTimedOut',
  message: `the timeout of ${seconds} s for each attempt has passed`,
});

describe('an attempt has to stop', () => {
  it.each<[string, SampleRun, number | null, number, Limits['stop']]>([
    ["at the stage's deadline (ROLL-C6)", {}, 60, 500, null],
    ["at the stage's deadline, to the millisecond", { deadlineSeconds: 100 }, 60, 0, late(100)],
    ['at its own timeout, if that comes first', { hook: { timeoutSeconds: 70 } }, 60, 10, null],
    ['at its own timeout, to the millisecond', { hook: { timeoutSeconds: 60 } }, 60, 0, slow(60)],
    [
      "at the stage's deadline, if that has passed too",
      { hook: { timeoutSeconds: 50 }, deadlineSeconds: 90 },
      60,
      -10,
      late(90),
    ],
    ['after its timeout since its pod was created', { hook: { timeoutSeconds: 70 } }, 20, 50, null],
    ['after its timeout since its intent', { hook: { timeoutSeconds: 70 } }, 61, 10, null],
    ['after its timeout without a pod', { hook: { timeoutSeconds: 70 } }, null, 10, null],
  ])('%s', (...[, run, created, seconds, stop]) => {
    expect(limits(run, created)).toEqual({ untilMs: inSeconds(seconds), stop });
  });

  it('at once when its stage is aborted (ROLL-DH18)', () => {
    const stop = { outcome: 'Aborted', ...newRollout };
    expect(limits({}, 60, newRollout)).toEqual({ untilMs: inSeconds(500), stop });
    expect(limits({ deadlineSeconds: 1 }, 60, newRollout)).toMatchObject({ stop });
  });
});

describe('what an attempt was', () => {
  const freely = { untilMs: NOW_MS, stop: null };
  const stopped = { untilMs: NOW_MS, stop: late(90) };
  const exited: PodEnd = {
    kind: 'ended',
    outcome: 'Failed',
    stopped: false,
    exitCode: 137,
    signal: 9,
    reason: 'OOMKilled',
    message: 'no memory',
  };
  const facts = { exitCode: 137, signal: 9, reason: 'OOMKilled', message: 'no memory' };
  const bare = { kind: 'ended', outcome: 'Failed', stopped: false } as const;

  it.each<[string, PodEnd, Limits, object]>([
    ['is what its pod says (ROLL-DH13)', exited, freely, { outcome: 'Failed', ...facts }],
    ['is its outcome alone, if its pod says no more', bare, freely, { outcome: 'Failed' }],
    [
      'is what its pod says, if it ended before it was stopped',
      { ...exited, outcome: 'Succeeded' },
      stopped,
      { outcome: 'Succeeded', ...facts },
    ],
    [
      'is why it was stopped, with what its pod says',
      { ...exited, stopped: true },
      stopped,
      { outcome: 'TimedOut', ...facts },
    ],
    ['is why it was stopped', { ...bare, stopped: true }, stopped, { ...late(90) }],
    [
      'is that its pod was deleted by another writer',
      { ...bare, stopped: true },
      freely,
      { outcome: 'Failed', reason: 'PodDeleted', message: 'another client deleted its pod' },
    ],
    [
      'is that its pod was deleted by another writer, with its exit code',
      { ...exited, stopped: true },
      freely,
      { outcome: 'Failed', ...facts, reason: 'PodDeleted' },
    ],
    [
      'is unknown, if its node has lost it and it was deleted (ROLL-S3)',
      { ...exited, outcome: 'Unknown', stopped: true },
      freely,
      { outcome: 'Unknown', ...facts },
    ],
  ])('%s', (...[, end, limit, expected]) => {
    expect(attemptEnd(end, limit)).toStrictEqual(expected);
  });
});
