import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  ended,
  hookPod,
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

const abortPolicy = { failurePolicy: 'Abort' } as const;
const ignorePolicy = { failurePolicy: 'Ignore' } as const;
const free = { held: false };

describe('decideStage, before an attempt', () => {
  it('opens the run first', () => {
    expect(words(decideStage(stageFacts(null)))).toBe('openRun');
  });

  it.each<[string, StageRow, string]>([
    ['records the intent before the pod is created', {}, 'recordIntent 1'],
    [
      'creates the pod after the intent',
      { run: { attempts: [open(1, { podUID: undefined as never })] } },
      'createPod 1',
    ],
    [
      'records a pod that an earlier version created before a crash',
      { run: { attempts: [{ number: 1, grants: 1 }] }, pods: [running] },
      'recordPod 1',
    ],
    [
      'does not record a pod without the token of the attempt (ROLL-S5)',
      { run: { attempts: [{ number: 1, grants: 1, token: 'secret' }] }, pods: [running] },
      'createPod 1',
    ],
    [
      'does not record a pod that was there before the first grant (ROLL-S5)',
      { run: { attempts: [{ number: 1 }] }, pods: [running] },
      'createPod 1',
    ],
    [
      'deletes a hook pod of an older rollout first (ROLL-L3)',
      { run: { status: {} }, pods: [{ ...running, number: 6 }] },
      'deletePod 6-pre-1',
    ],
    [
      'waits while an older hook pod is terminating',
      { run: { status: {} }, pods: [{ ...running, number: 6, deleted: 9 }] },
      'wait 500 s',
    ],
    [
      'waits for a hook pod that the run does not record',
      { run: { status: {} }, pods: [running] },
      'wait 500 s',
    ],
    [
      'waits for a pod of another stage of its rollout',
      { run: { status: {} }, pods: [{ ...running, stage: 'mid' }] },
      'wait 500 s',
    ],
    [
      'starts the clock while it waits (ROLL-C6)',
      { pods: [{ ...running, number: 6 }] },
      'startClock',
    ],
    [
      'records the intent next to an older pod that has exited',
      { pods: [{ ...ended(1), number: 6, ...free }] },
      'recordIntent 1',
    ],
    [
      'fails when the container is missing (ROLL-C25)',
      { run: { hook: { execNewPod: { containerName: 'x' } } } },
      'settleRun Failed ContainerNotFound',
    ],
    [
      'settles Ignored when the container is missing under Ignore',
      { run: { hook: { ...ignorePolicy, execNewPod: { containerName: 'x' } } } },
      'settleRun Ignored ContainerNotFound',
    ],
    [
      'settles Aborted when a new rollout begins first',
      { abort: newRollout },
      'settleRun Aborted NewRollout',
    ],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });

  it('says which pod it waits for, and why it deletes one (ROLL-S4)', () => {
    const stepOver = (pod: Pod): object =>
      decideStage(stageFacts(sampleRun({ status: {} }), [pod]));
    const older = hookPod({ ...running, number: 6 });
    const name = older.metadata?.name ?? '';
    const terminating = hookPod({ ...running, number: 6, deleted: 9 });
    expect(stepOver(terminating)).toMatchObject({ reason: `hook pod ${name} still exists` });
    const reason = 'another attempt starts';
    expect(stepOver(older)).toEqual({ kind: 'deletePod', pod: older, reason });
  });

  it('waits for a pod without our labels, and leaves it', () => {
    const pod = { ...hookPod(running), metadata: { name: 'x' } };
    const step = decideStage(stageFacts(sampleRun({ status: {} }), [pod]));
    expect(step).toMatchObject({ kind: 'wait', reason: 'hook pod x still exists' });
  });
});

describe('decideStage, after an attempt', () => {
  const failed = (hook: SampleRun['hook'] = {}): SampleRun => ({
    hook,
    attempts: [attempt(1, 'Failed')],
  });
  it.each<[string, StageRow, string]>([
    [
      'settles Succeeded after a success',
      { run: { attempts: [attempt(1, 'Succeeded')] } },
      'settleRun Succeeded Succeeded',
    ],
    [
      'settles Failed under Abort (ROLL-C3)',
      { run: failed(abortPolicy) },
      'settleRun Failed HookFailed',
    ],
    [
      'settles Ignored under Ignore (ROLL-C4)',
      { run: failed(ignorePolicy) },
      'settleRun Ignored HookFailed',
    ],
    [
      'settles Ignored under Ignore after a timeout',
      { run: { hook: { ...ignorePolicy, timeoutSeconds: 9 }, attempts: [attempt(1, 'TimedOut')] } },
      'settleRun Ignored HookTimedOut',
    ],
    [
      'settles Ignored under Ignore after an unknown outcome',
      { run: { hook: ignorePolicy, attempts: [attempt(1, 'Unknown')] } },
      'settleRun Ignored PodLost',
    ],
    [
      'settles Aborted under Ignore for a new rollout',
      { run: { hook: ignorePolicy, attempts: [attempt(1, 'Aborted')] }, abort: newRollout },
      'settleRun Aborted NewRollout',
    ],
    ['starts the next attempt under Retry (ROLL-DH16)', { run: failed() }, 'recordIntent 2'],
    [
      'retries by default (ROLL-C8)',
      { run: failed({ failurePolicy: undefined as never }) },
      'recordIntent 2',
    ],
    [
      'waits one pause before a retry (ROLL-S4)',
      { run: { attempts: [attempt(1, 'Failed', 0.25)] } },
      'wait 0.75 s',
    ],
    [
      'doubles the pause with each retry',
      {
        run: {
          attempts: [attempt(1, 'Failed', 40), attempt(2, 'TimedOut', 10), attempt(3, 'Failed', 1)],
        },
      },
      'wait 3 s',
    ],
    [
      'waits at most a minute before a retry',
      { run: { attempts: [attempt(9, 'Failed', 10)], started: 1, deadlineSeconds: 9_000 } },
      'wait 50 s',
    ],
    [
      'releases the pod before it retries',
      { run: { attempts: [attempt(1, 'Failed', 0.5)] }, pods: [ended(1)] },
      'removeFinalizer 7-pre-1',
    ],
    [
      'deletes a running pod before it retries (ROLL-L3)',
      { run: failed(), pods: [{ ...running }] },
      'deletePod 7-pre-1',
    ],
    [
      'settles Failed if no time is left to retry (ROLL-C6)',
      { run: { ...failed(), deadlineSeconds: 100 } },
      'settleRun Failed DeadlineExceeded',
    ],
    [
      'does not retry after an unknown outcome (ROLL-S3)',
      { run: { attempts: [attempt(1, 'Unknown')] } },
      'settleRun Unknown PodLost',
    ],
    [
      'does not retry after a new rollout',
      { run: failed(), abort: newRollout },
      'settleRun Aborted NewRollout',
    ],
    [
      'settles Failed if a pause ends after the deadline (ROLL-C6)',
      { run: { attempts: [attempt(1, 'Failed', 0.25)], deadlineSeconds: 100.5 } },
      'settleRun Failed DeadlineExceeded',
    ],
    [
      'settles with PodRefused after a refused pod',
      { run: { hook: abortPolicy, attempts: [{ ...attempt(1, 'Failed'), reason: 'PodRefused' }] } },
      'settleRun Failed PodRefused',
    ],
    [
      'settles with DeadlineExceeded if the deadline cut the attempt',
      { run: { hook: abortPolicy, attempts: [attempt(1, 'TimedOut')], deadlineSeconds: 95 } },
      'settleRun Failed DeadlineExceeded',
    ],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });
});

describe('decideStage, a settled run', () => {
  const done: SampleRun = {
    attempts: [attempt(1, 'Succeeded')],
    status: { phase: 'Succeeded', reason: 'Succeeded' },
  };
  const sidecar: SampleHookPod = { ...running };
  it.each<[string, StageRow, string]>([
    [
      'leaves the finalizer of its pod',
      { run: done, pods: [ended(0)] },
      'settled Succeeded Succeeded',
    ],
    [
      'deletes a pod whose sidecar runs, next to one that has ended',
      { run: done, pods: [ended(0), sidecar] },
      'deletePod 7-pre-1',
    ],
    ['deletes a pod whose sidecar runs', { run: done, pods: [sidecar] }, 'deletePod 7-pre-1'],
    [
      'does not wait for the sidecar',
      { run: done, pods: [{ ...sidecar, deleted: 3 }] },
      'settled Succeeded Succeeded',
    ],
    [
      'leaves pods of other stages',
      { run: done, pods: [{ ...ended(0), stage: 'post' }] },
      'settled Succeeded Succeeded',
    ],
    [
      'stays settled when a new rollout begins',
      { run: done, abort: newRollout },
      'settled Succeeded Succeeded',
    ],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });
});
