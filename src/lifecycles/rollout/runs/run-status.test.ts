import { describe, expect, it } from 'vitest';

import { ago, NOW_MS } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { attempt, open, sampleRun } from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { HookRun, HookRunStatus } from '../kinds.ts';
import {
  withGrant,
  withIntent,
  withOutcome,
  withPod,
  withSettlement,
  withWait,
} from './run-status.ts';
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

  it('counts each grant of its own attempt (ROLL-P4)', () => {
    const attempts = [{ number: 1, grants: 4 }, { number: 2 }];
    const once = withGrant({ phase: 'Running', attempts } as unknown as HookRunStatus, 2, 'first');
    expect(once.attempts).toEqual([
      { number: 1, grants: 4 },
      { number: 2, grants: 1, token: 'first' },
    ]);
    expect(withGrant(once, 2, 'second').attempts[1]).toMatchObject({ grants: 2, token: 'first' });
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
      message: 'Attempt 1 of the pre hook failed with exit code 3 (Error): no such table.',
      finishedAt: ago(0),
      attempts: [{ outcome: 'Failed', exitCode: 3, lastLines: ['one', 'no such table'] }],
    });
    const retry = end(sampleRun({ attempts: [open(1)] }), failed);
    expect(retry).toMatchObject({ phase: 'Running', attempts: [{ outcome: 'Failed' }] });
    expect(retry).not.toHaveProperty('finishedAt');
    const good = end(sampleRun({ attempts: [open(1)] }), { outcome: 'Succeeded', exitCode: 0 });
    expect(good).toMatchObject({
      phase: 'Succeeded',
      message: 'Attempt 1 of the pre hook succeeded.',
    });
  });

  it('changes the attempt that is meant alone', () => {
    const run = sampleRun({ attempts: [attempt(1, 'Failed'), open(2)] });
    const failed: AttemptEnd = { outcome: 'Failed' };
    const ending = { attempt: 2, end: failed, lastLines: [], abort: null, nowMs: NOW_MS };
    const { attempts } = withOutcome(run, ending);
    expect(attempts[0]).toEqual(run.status?.attempts[0]);
    expect(attempts[1]).toMatchObject({ number: 2, outcome: 'Failed', finishedAt: ago(0) });
    expect(attempts[1]).not.toHaveProperty('lastLines');
  });

  it('keeps what the pod of an attempt waits for until something else is recorded', () => {
    const { status } = sampleRun({ attempts: [attempt(1, 'Failed'), open(2)] });
    if (status === undefined) throw new Error('it has no status');
    const waits = withWait(status, 2, 'ErrImagePull: not found');
    expect(waits.attempts[1]).toEqual({
      ...status.attempts[1],
      waitsFor: 'ErrImagePull: not found',
    });
    expect(withWait(waits, 2, null)).toEqual(status);
    expect(withPod(waits, 2, 'u').attempts[1]).toEqual({ ...status.attempts[1], podUID: 'u' });
  });

  it('settles a run that has not started', () => {
    const settlement = { phase: 'Failed', reason: 'ContainerNotFound', message: 'None.' } as const;
    expect(withSettlement(sampleRun(), settlement, NOW_MS)).toEqual({
      ...settlement,
      startedAt: ago(0),
      finishedAt: ago(0),
      attemptCount: 0,
      attempts: [],
    });
  });

  it('names the deadline and the number of attempts when time runs out', () => {
    const run = sampleRun({ attempts: [open(1)], deadlineSeconds: 60 });
    const late: AttemptEnd = { outcome: 'TimedOut', reason: 'ErrImagePull', message: 'not found' };
    expect(end(run, late)).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message:
        'The deadline of 60 s leaves no time for attempt 2; attempt 1 of the pre hook ran out of time (ErrImagePull): not found.',
    });
  });
});
