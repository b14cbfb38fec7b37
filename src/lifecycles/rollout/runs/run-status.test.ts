import { describe, expect, it } from 'vitest';

import { ago, NOW_MS } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { attempt, open, sampleRun } from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { HookAttempt, HookRun, HookRunStatus } from '../kinds.ts';
import { describeAttempt } from './describe-attempt.ts';
import { recordsOf } from './run-plan.ts';
import { withIntent, withOutcome, withPod } from './run-status.ts';
import type { AttemptEnd } from './stage.ts';

const end = (run: HookRun, how: AttemptEnd, lastLines: string[] = []): HookRunStatus =>
  withOutcome(run, { attempt: 1, end: how, lastLines, abort: null, nowMs: NOW_MS });

describe('the status of a HookRun', () => {
  it('records the first attempt before its pod is created', () => {
    const status = withIntent(sampleRun(), 1, NOW_MS);
    expect(status).toEqual({
      phase: 'Running',
      startedAt: ago(0),
      attemptCount: 1,
      attempts: [
        {
          number: 1,
          podName: expect.stringMatching(/^web-7-pre-1-/) as string,
          startedAt: ago(0),
          fencingToken: 7_000_001,
        },
      ],
    });
    expect(withPod(status, 1, 'u').attempts[0]).toMatchObject({ number: 1, podUID: 'u' });
  });

  it('keeps the last ten attempts, and counts all', () => {
    let run = sampleRun();
    for (let number = 1; number <= 14; number += 1) {
      run = { ...run, status: withIntent(run, number, NOW_MS) };
    }
    expect(run.status?.attemptCount).toBe(14);
    expect(run.status?.attempts.map(({ number }) => number)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    ]);
  });

  it('settles in the write that records the last outcome', () => {
    const failed: AttemptEnd = { outcome: 'Failed', exitCode: 3, reason: 'Error' };
    const abort = sampleRun({ attempts: [open(1)], hook: { failurePolicy: 'Abort' } });
    expect(end(abort, failed, ['one', 'no such table'])).toMatchObject({
      phase: 'Failed',
      reason: 'HookFailed',
      message: 'Attempt 1 of pre failed with exit code 3 (Error): no such table.',
      finishedAt: ago(0),
      attempts: [{ outcome: 'Failed', exitCode: 3, lastLines: ['one', 'no such table'] }],
    });
    const retry = end(sampleRun({ attempts: [open(1)] }), failed);
    expect(retry).toMatchObject({ phase: 'Running', attempts: [{ outcome: 'Failed' }] });
    expect(retry).not.toHaveProperty('finishedAt');
    const good = end(sampleRun({ attempts: [open(1)] }), { outcome: 'Succeeded', exitCode: 0 });
    expect(good).toMatchObject({ phase: 'Succeeded', message: 'Attempt 1 of pre succeeded.' });
  });

  it('names the deadline and the number of attempts when time runs out', () => {
    const run = sampleRun({ attempts: [open(1)], deadlineSeconds: 60 });
    const late: AttemptEnd = { outcome: 'TimedOut', reason: 'ErrImagePull', message: 'not found' };
    expect(end(run, late)).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message:
        'The deadline of 60 s leaves no time for attempt 2; attempt 1 of pre ran out of time (ErrImagePull): not found.',
    });
  });
});

describe('recordsOf', () => {
  it('fills in the last ten dropped attempts as failures before the first that is kept', () => {
    const run = sampleRun({ attempts: [attempt(30, 'Failed'), attempt(31, undefined)] });
    const records = recordsOf({ run, nowMs: NOW_MS, abort: null });
    const started = records.flatMap((one) => (one.type === 'AttemptStarted' ? [one.attempt] : []));
    expect(started).toEqual(Array.from({ length: 12 }, (_, index) => index + 20));
    expect(records.filter(({ type }) => type === 'AttemptSettled')).toHaveLength(11);
  });
});

describe('describeAttempt', () => {
  it.each<[string, Partial<HookAttempt>, string]>([
    [
      'names a success',
      { outcome: 'Succeeded', exitCode: 0, reason: 'Completed' },
      'attempt 1 of pre succeeded',
    ],
    [
      'names exit code, signal and reason',
      { outcome: 'Failed', exitCode: 137, signal: 9, reason: 'OOMKilled' },
      'attempt 1 of pre failed with exit code 137 by signal 9 (OOMKilled)',
    ],
    [
      'prefers the termination message to the log',
      { outcome: 'Failed', message: 'no space left.', lastLines: ['x'] },
      'attempt 1 of pre failed: no space left',
    ],
    [
      'names an unknown outcome',
      { outcome: 'Unknown', reason: 'PodLost' },
      'attempt 1 of pre ended unseen (PodLost)',
    ],
  ])('%s', (...[, how, expected]) => {
    const one = { number: 1, podName: 'p', startedAt: ago(0), fencingToken: 1, ...how };
    expect(describeAttempt('pre', one)).toBe(expected);
  });
});
