import { describe, expect, it } from 'vitest';

import { NOW_MS } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  attempt,
  newRollout,
  open,
  type SampleRun,
  sampleRun,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { RunOutcome } from '../../../model/attempt.ts';
import { refusedAs, settledAs, settlementOf } from './settlement.ts';
import type { Settlement, StageAbort } from './stage.ts';

function settle(outcome: RunOutcome, run: SampleRun, abort: StageAbort | null = null): Settlement {
  return settlementOf({ run: sampleRun(run), nowMs: NOW_MS, abort }, outcome);
}

const failed = { ...attempt(1, 'Failed'), exitCode: 3, reason: 'Error' };
const abortPolicy = { failurePolicy: 'Abort' } as const;
const ignorePolicy = { failurePolicy: 'Ignore' } as const;

describe('a stage is settled (ROLL-DH14, ROLL-DH15 and ROLL-DH16)', () => {
  it.each<[string, RunOutcome, SampleRun, Settlement]>([
    [
      'as Succeeded',
      'Succeeded',
      { attempts: [attempt(1, 'Succeeded')] },
      { phase: 'Succeeded', reason: 'Succeeded', message: 'Attempt 1 of the pre hook succeeded.' },
    ],
    [
      'as Failed, with its exit code',
      'Failed',
      { hook: abortPolicy, attempts: [failed] },
      {
        phase: 'Failed',
        reason: 'HookFailed',
        message: 'Attempt 1 of the pre hook failed with exit code 3 (Error).',
      },
    ],
    [
      'as Ignored under Ignore, with the failure of its last attempt (ROLL-DH15)',
      'Succeeded',
      { hook: ignorePolicy, attempts: [failed] },
      {
        phase: 'Ignored',
        reason: 'HookFailed',
        message: 'Attempt 1 of the pre hook failed with exit code 3 (Error).',
      },
    ],
    [
      'as Unknown, which is no success (ROLL-S3)',
      'Unknown',
      { attempts: [attempt(1, 'Unknown')] },
      {
        phase: 'Unknown',
        reason: 'PodLost',
        message: 'Attempt 1 of the pre hook has an unknown outcome.',
      },
    ],
    [
      'as Aborted under Ignore after an abort, which no policy ignores',
      'Succeeded',
      { hook: ignorePolicy, attempts: [attempt(1, 'Aborted')] },
      {
        phase: 'Aborted',
        reason: 'Aborted',
        message: 'It was aborted; attempt 1 of the pre hook was aborted.',
      },
    ],
    [
      'as failed by its own timeout under Abort',
      'TimedOut',
      { hook: { ...abortPolicy, timeoutSeconds: 9 }, attempts: [attempt(1, 'TimedOut')] },
      {
        phase: 'Failed',
        reason: 'HookTimedOut',
        message: 'The hook has a timeout of 9 s; attempt 1 of the pre hook ran out of time.',
      },
    ],
    [
      'as failed by the deadline under Abort, at the deadline',
      'TimedOut',
      { hook: abortPolicy, attempts: [attempt(1, 'TimedOut')], deadlineSeconds: 100 },
      {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'The deadline of 100 s has passed; attempt 1 of the pre hook ran out of time.',
      },
    ],
    [
      'as failed by the deadline under Retry, also before it',
      'TimedOut',
      { hook: { timeoutSeconds: 9 }, attempts: [attempt(3, 'TimedOut')] },
      {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message:
          'The deadline of 600 s leaves no time for attempt 4; attempt 3 of the pre hook ran out of time.',
      },
    ],
    [
      'as failed by the deadline if no policy is said (ROLL-DH5)',
      'TimedOut',
      { hook: { failurePolicy: undefined as never }, attempts: [attempt(1, 'TimedOut')] },
      {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message:
          'The deadline of 600 s leaves no time for attempt 2; attempt 1 of the pre hook ran out of time.',
      },
    ],
    [
      'as failed by the deadline before its first attempt (ROLL-C6)',
      'TimedOut',
      { hook: abortPolicy },
      {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'The deadline of 600 s leaves no time for attempt 1; the hook was not started.',
      },
    ],
  ])('%s', (...[, outcome, run, settlement]) => {
    expect(settle(outcome, run)).toEqual(settlement);
  });

  it('as Aborted, with the reason of the abort and what its last attempt was (ROLL-DH18)', () => {
    expect(settle('Cancelled', { attempts: [failed] }, newRollout)).toEqual({
      phase: 'Aborted',
      reason: 'NewRollout',
      message: 'Rollout 8 has begun; attempt 1 of the pre hook failed with exit code 3 (Error).',
    });
  });

  it.each(['PodRefused', 'PodNameTaken', 'PodDeleted'])(
    'with the reason %s of its last attempt',
    (reason) => {
      const attempts = [{ ...failed, reason }];
      expect(settle('Failed', { hook: abortPolicy, attempts })).toMatchObject({ reason });
    },
  );
});

describe('what a HookRun was settled as', () => {
  it('is nothing while it runs', () => {
    expect(settledAs(sampleRun({}))).toBeNull();
    expect(settledAs(sampleRun({ attempts: [open(1)] }))).toBeNull();
  });

  it('is what its status says, with its phase for a reason that is missing', () => {
    const status = { phase: 'Failed', reason: 'HookFailed', message: 'None.' } as const;
    expect(settledAs(sampleRun({ status }))).toEqual(status);
    const phase = 'Ignored';
    expect(settledAs(sampleRun({ status: { phase } }))).toEqual({
      phase,
      reason: phase,
      message: '',
    });
  });
});

it('a hook that cannot be run fails, or is ignored under Ignore (ROLL-C25)', () => {
  const refusal = { reason: 'ContainerNotFound', message: 'It has no container x.' };
  const phases = [abortPolicy, ignorePolicy].map((hook) => refusedAs(sampleRun({ hook }), refusal));
  expect(phases).toEqual([
    { phase: 'Failed', ...refusal },
    { phase: 'Ignored', ...refusal },
  ]);
});
