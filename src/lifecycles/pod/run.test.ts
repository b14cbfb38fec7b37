/** Tests the next run of a container, the pause before it, and what a run leaves behind. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { NOW_MS } from '../../../test/fixtures/pod-facts.ts';
import type { Clock } from '../../platform/platform.ts';
import {
  failedRun,
  lifeAfter,
  unstartable,
  nextBackoffSeconds,
  endOf,
  nextIdentity,
  pauseAfter,
  type Run,
  stoppedRun,
} from './run.ts';
import { StartError } from '../../platform/container-runtime.ts';

const clock: Clock = { nowMs: () => NOW_MS, monotonicMs: () => 5_000 };

const identity = { podUid: 'u', namespace: 'default', pod: 'pod', container: 'web' };
const runOf = (
  more: Partial<Run> & { count?: number; backoff?: number | null; ranMs?: number } = {},
): Run => {
  const { count = 1, backoff = 0, ranMs = 1_000, ...rest } = more;
  return {
    identity: { ...identity, restartCount: count, backoffSeconds: backoff },
    container: null,
    failure: { exitCode: 1, signal: null, endedAtMs: NOW_MS, reason: 'Error' },
    startedAtMs: NOW_MS - ranMs,
    ...rest,
  };
};

describe('the pause before the next run', () => {
  test('is 0, 10, 20, 40, 80, 160 and then 300 s', () => {
    let backoffSeconds: number | null = null;
    const pauses = Array.from({ length: 8 }, () => {
      backoffSeconds = nextBackoffSeconds({ backoffSeconds, ranMs: 1_000 });
      return backoffSeconds;
    });
    expect(pauses).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });

  test('starts again after a run of ten minutes', () => {
    const after = (ranMs: number): number => nextBackoffSeconds({ backoffSeconds: 160, ranMs });
    expect([after(599_999), after(600_000)]).toEqual([300, 0]);
    expect(pauseAfter(runOf({ backoff: 20, ranMs: 600_000 }))).toBe(0);
    expect(pauseAfter(runOf({ backoff: 20 }))).toBe(40);
    expect(pauseAfter(runOf({ backoff: 20, failure: null }))).toBe(40);
  });
});

describe('the next run', () => {
  const pod: Pod = { metadata: { uid: 'u', namespace: 'default', name: 'pod' } };

  test('counts on, and remembers its pause', () => {
    expect(nextIdentity(pod, 'web', null)).toEqual({
      ...identity,
      restartCount: 0,
      backoffSeconds: null,
    });
    expect(nextIdentity(pod, 'web', runOf({ count: 3, backoff: 20 }))).toEqual({
      ...identity,
      restartCount: 4,
      backoffSeconds: 40,
    });
    expect(nextIdentity({}, 'web', null)).toMatchObject({ podUid: '', namespace: '', pod: '' });
  });

  test('does not count the first restart that the node made itself as a pause', () => {
    const pause = (count: number, again: boolean): number | null =>
      nextIdentity(pod, 'web', runOf({ count, backoff: null, again })).backoffSeconds;
    expect([pause(0, true), pause(0, false), pause(1, true)]).toEqual([null, 0, 0]);
  });

  test.each([
    ['a changed image', { kind: 'inPlace', why: 'definition' }, 'Never', true],
    ['a failed probe', { kind: 'probe', probe: 'liveness', graceSeconds: null }, 'OnFailure', true],
    ['a failed probe', { kind: 'probe', probe: 'liveness', graceSeconds: null }, 'Never', false],
    ['a failed postStart hook', { kind: 'postStart' }, 'Always', false],
    ['a deletion', { kind: 'deletion', graceSeconds: 1 }, 'Always', false],
  ] as const)('comes after a stop for %s under %s, whatever it exits with: %s', (...row) => {
    const [, cause, restartPolicy, again] = row;
    const of: Parameters<typeof stoppedRun>[1] = {
      cause,
      pod: { spec: { containers: [], restartPolicy } },
      role: 'main',
      spec: { name: 'web' },
    };
    expect(stoppedRun(runOf(), of).again).toBe(again);
  });
});

describe('what a run leaves', () => {
  test('is an end, from which its pause counts', () => {
    const failure = { exitCode: 1, signal: null, endedAtMs: NOW_MS - 3_000, reason: 'Error' };
    expect(lifeAfter(runOf({ failure }), clock, null)).toEqual({
      kind: 'ended',
      startedAtMs: NOW_MS - 1_000,
      end: failure,
      again: false,
      pauseSeconds: 10,
      restartAtMs: 5_000 + 7_000,
      backOffReported: false,
    });
    const long = { ...failure, endedAtMs: NOW_MS - 60_000 };
    expect(lifeAfter(runOf({ failure: long, again: true }), clock, null)).toMatchObject({
      again: true,
      restartAtMs: 5_000,
    });
  });

  test('pauses from now if the clock was set back behind its end', () => {
    const failure = { exitCode: 1, signal: null, endedAtMs: NOW_MS + 99_000, reason: 'Error' };
    const startedAtMs = NOW_MS + 98_000;
    expect(lifeAfter(runOf({ failure, startedAtMs }), clock, null)).toMatchObject({
      restartAtMs: 15_000,
    });
  });

  test('pauses from when its end was seen, whatever the time of day says', () => {
    const failure = { exitCode: 1, signal: null, endedAtMs: NOW_MS - 99_000, reason: 'Error' };
    const startedAtMs = NOW_MS - 100_000;
    const after = (seenMs: number): object | null =>
      lifeAfter(runOf({ failure, startedAtMs }), clock, seenMs);
    expect(after(1_000)).toMatchObject({ restartAtMs: 11_000 });
    expect(after(-60_000)).toMatchObject({ restartAtMs: 5_000 });
  });

  test('is nothing while it has not ended', () => {
    expect(lifeAfter(runOf({ failure: null }), clock, null)).toBeNull();
    expect(endOf(runOf({ failure: null }))).toBeNull();
  });

  test.each(['StartError', 'RunContainerError'] as const)(
    'is a run that failed with %s',
    (reason) => {
      const failed = failedRun(
        runOf().identity,
        new StartError(reason, 'no such program', 127),
        clock,
      );
      expect(failed).toEqual({
        identity: runOf().identity,
        container: null,
        failure: {
          exitCode: 127,
          signal: null,
          endedAtMs: NOW_MS,
          reason: 'StartError',
          message: 'no such program',
        },
        startedAtMs: NOW_MS,
      });
    },
  );

  test('is none if what the start refers to is missing: it is retried after 5 s', () => {
    const missing = new StartError('FailedMount', 'no volume');
    expect(failedRun(runOf().identity, missing, clock)).toBeNull();
    expect(unstartable(missing, clock)).toEqual({
      kind: 'unstartable',
      reason: 'FailedMount',
      message: 'no volume',
      retryAtMs: 10_000,
    });
  });
});
