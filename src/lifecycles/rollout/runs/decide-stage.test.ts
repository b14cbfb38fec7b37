import { describe, expect, it } from 'vitest';

import {
  ended,
  hookPod,
  NOW_MS,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  attempt,
  newRollout,
  open,
  type SampleRun,
  sampleRun,
  stageFacts,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import { decideRow, type StageRow, words } from '../../../../test/fixtures/rollout/stage-words.ts';
import { decideStage } from './decide-stage.ts';
import { decideEnding } from './ending.ts';

const abortPolicy = { failurePolicy: 'Abort' } as const;
const ignorePolicy = { failurePolicy: 'Ignore' } as const;
const free = { held: false };

describe('decideStage, the beginning', () => {
  it('opens the run before all else', () => {
    expect(words(decideStage(stageFacts(null)))).toBe('openRun');
  });

  it.each<[string, StageRow, string]>([
    ['the intent before the pod', {}, 'recordIntent 1'],
    [
      'the pod after it',
      { run: { attempts: [open(1, { podUID: undefined as never })] } },
      'createPod 1',
    ],
    [
      'a pod that was made, and nobody knew',
      { run: { attempts: [{ number: 1 }] }, pods: [running] },
      'recordPod 1',
    ],
    [
      'not beside a hook of an older rollout (L3)',
      { run: { status: {} }, pods: [{ ...running, number: 6 }] },
      'deletePod 6-pre-1',
    ],
    [
      'nor while that is ending',
      { run: { status: {} }, pods: [{ ...running, number: 6, deleted: 9 }] },
      'wait 500 s',
    ],
    [
      'nor beside one that only the list knows',
      { run: { status: {} }, pods: [running] },
      'wait 500 s',
    ],
    ['the time runs while it waits (C6)', { pods: [{ ...running, number: 6 }] }, 'startClock'],
    [
      'but beside one that has ended',
      { pods: [{ ...ended(1), number: 6, ...free }] },
      'recordIntent 1',
    ],
    [
      'no such container (C25)',
      { run: { hook: { execNewPod: { containerName: 'x' } } } },
      'settleRun Failed ContainerNotFound',
    ],
    [
      'no such container, ignored',
      { run: { hook: { ...ignorePolicy, execNewPod: { containerName: 'x' } } } },
      'settleRun Ignored ContainerNotFound',
    ],
    ['an abort before it has begun', { abort: newRollout }, 'settleRun Aborted NewRollout'],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });
});

describe('decideStage, after an attempt', () => {
  const failed = (hook: SampleRun['hook'] = {}): SampleRun => ({
    hook,
    attempts: [attempt(1, 'Failed')],
  });
  it.each<[string, StageRow, string]>([
    ['success', { run: { attempts: [attempt(1, 'Succeeded')] } }, 'settleRun Succeeded Succeeded'],
    ['Abort (C3)', { run: failed(abortPolicy) }, 'settleRun Failed HookFailed'],
    ['Ignore (C4)', { run: failed(ignorePolicy) }, 'settleRun Ignored HookFailed'],
    [
      'Ignore, out of time',
      { run: { hook: { ...ignorePolicy, timeoutSeconds: 9 }, attempts: [attempt(1, 'TimedOut')] } },
      'settleRun Ignored HookTimedOut',
    ],
    [
      'Ignore, unseen',
      { run: { hook: ignorePolicy, attempts: [attempt(1, 'Unknown')] } },
      'settleRun Ignored PodLost',
    ],
    [
      'Ignore, a new rollout',
      { run: { hook: ignorePolicy, attempts: [attempt(1, 'Aborted')] }, abort: newRollout },
      'settleRun Aborted NewRollout',
    ],
    ['Retry: again (DH-16)', { run: failed() }, 'recordIntent 2'],
    [
      'Retry: unset means it (C8)',
      { run: failed({ failurePolicy: undefined as never }) },
      'recordIntent 2',
    ],
    ['Retry: first one pause', { run: { attempts: [attempt(1, 'Failed', 0.25)] } }, 'wait 0.75 s'],
    [
      'Retry: doubled',
      {
        run: {
          attempts: [attempt(1, 'Failed', 40), attempt(2, 'TimedOut', 10), attempt(3, 'Failed', 1)],
        },
      },
      'wait 3 s',
    ],
    [
      'Retry: up to a minute',
      { run: { attempts: [attempt(9, 'Failed', 10)], started: 1, deadlineSeconds: 9_000 } },
      'wait 50 s',
    ],
    [
      'Retry: the one before lets go first',
      { run: { attempts: [attempt(1, 'Failed', 0.5)] }, pods: [ended(1)] },
      'removeFinalizer 7-pre-1',
    ],
    ['Retry: alone (L3)', { run: failed(), pods: [{ ...running }] }, 'deletePod 7-pre-1'],
    [
      'Retry: no time left (C6)',
      { run: { ...failed(), deadlineSeconds: 100 } },
      'settleRun Failed DeadlineExceeded',
    ],
    [
      'Retry: never again after an unseen end (S3)',
      { run: { attempts: [attempt(1, 'Unknown')] } },
      'settleRun Unknown PodLost',
    ],
    [
      'Retry: not after a new rollout',
      { run: failed(), abort: newRollout },
      'settleRun Aborted NewRollout',
    ],
    [
      'a refused pod is told as that',
      { run: { hook: abortPolicy, attempts: [{ ...attempt(1, 'Failed'), reason: 'PodRefused' }] } },
      'settleRun Failed PodRefused',
    ],
    [
      'Abort: its only time was the deadline',
      { run: { hook: abortPolicy, attempts: [attempt(1, 'TimedOut')], deadlineSeconds: 95 } },
      'settleRun Failed DeadlineExceeded',
    ],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });
});

describe('decideStage, the end', () => {
  const done: SampleRun = {
    attempts: [attempt(1, 'Succeeded')],
    status: { phase: 'Succeeded', reason: 'Succeeded' },
  };
  const sidecar: SampleHookPod = { ...running };
  it.each<[string, StageRow, string]>([
    ['lets go of the pod', { run: done, pods: [ended(0)] }, 'removeFinalizer 7-pre-1'],
    ['ends what a mesh has put into it', { run: done, pods: [sidecar] }, 'deletePod 7-pre-1'],
    [
      'and does not wait for that',
      { run: done, pods: [{ ...sidecar, deleted: 3 }] },
      'settled Succeeded Succeeded',
    ],
    [
      'leaves pods of others',
      { run: done, pods: [{ ...ended(0), stage: 'post' }] },
      'settled Succeeded Succeeded',
    ],
    ['stays as it is', { run: done, abort: newRollout }, 'settled Succeeded Succeeded'],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });
});

describe('decideEnding', () => {
  const end = (run: SampleRun, ...pods: SampleHookPod[]): string => {
    const all = pods.map((pod) => hookPod(pod));
    return words(
      decideEnding({ run: sampleRun(run), pods: all, nowMs: NOW_MS, abort: newRollout }),
    );
  };

  it.each<[string, string, string]>([
    ['that was not begun', end({}), 'settleRun Aborted NewRollout'],
    ['that runs', end({ attempts: [open(1)] }, running), 'deletePod 7-pre-1'],
    [
      'that is ending',
      end({ attempts: [open(1)] }, { ...running, deleted: 1 }),
      'wait for a change',
    ],
    [
      'whose pod was not made',
      end({ attempts: [{ number: 1 }] }),
      'lookForPod 1, else Aborted NewRollout',
    ],
    [
      'that has ended',
      end({ attempts: [open(1)] }, ended(0)),
      'recordOutcome 1 Succeeded Completed',
    ],
    [
      'between two attempts',
      end({ attempts: [attempt(1, 'Failed')] }),
      'settleRun Aborted NewRollout',
    ],
    [
      'whose pod still lives',
      end({ status: { phase: 'Aborted' } }, { ...running, deleted: 1 }),
      'wait for a change',
    ],
    [
      'of which nothing is left',
      end({ status: { phase: 'Aborted' } }, { ...ended(1), ...free }),
      'settled Aborted Aborted',
    ],
  ])('ends a run %s', (...[, decided, expected]) => {
    expect(decided).toBe(expected);
  });
});
