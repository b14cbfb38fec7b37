import { describe, expect, it } from 'vitest';

import { ended, running, type SampleHookPod } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  newRollout,
  open,
  type SampleRun,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import { decideRow, type StageRow } from '../../../../test/fixtures/rollout/stage-words.ts';

describe('decideStage, an attempt', () => {
  const one: SampleRun = { attempts: [open(1)] };
  const unscheduled: SampleHookPod = { node: null };
  it.each<[string, StageRow, string]>([
    ['runs: until the deadline', { run: one, pods: [running] }, 'wait 500 s'],
    [
      'runs: until its own time is over',
      { run: { ...one, hook: { timeoutSeconds: 90 } }, pods: [running] },
      'wait 30 s',
    ],
    [
      'its own time counts from the pod',
      { run: { ...one, hook: { timeoutSeconds: 90 } }, pods: [{ ...running, created: 10 }] },
      'wait 80 s',
    ],
    [
      'its own time is over',
      { run: { ...one, hook: { timeoutSeconds: 50 } }, pods: [running] },
      'deletePod 7-pre-1',
    ],
    [
      'the deadline, on no node (C6)',
      { run: { ...one, deadlineSeconds: 99 }, pods: [unscheduled] },
      'deletePod 7-pre-1',
    ],
    [
      'is ending',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...running, deleted: 3 }] },
      'wait for a change',
    ],
    [
      'never got a node',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...unscheduled, deleted: 1 }] },
      'recordOutcome 1 TimedOut Pending',
    ],
    [
      'was ended for its time',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...ended(143, 0), deleted: 1 }] },
      'recordOutcome 1 TimedOut Error',
    ],
    [
      'trapped that, and exits with 0',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...ended(0, 0), deleted: 1 }] },
      'recordOutcome 1 TimedOut Completed',
    ],
    [
      'was faster',
      { run: { ...one, deadlineSeconds: 99 }, pods: [{ ...ended(0, 5), deleted: 1 }] },
      'recordOutcome 1 Succeeded Completed',
    ],
    ['success', { run: one, pods: [ended(0)] }, 'recordOutcome 1 Succeeded Completed'],
    ['failure', { run: one, pods: [ended(3)] }, 'recordOutcome 1 Failed Error'],
    [
      'a person deletes it',
      { run: one, pods: [{ ...ended(143, 0), deleted: 1 }] },
      'recordOutcome 1 Failed PodDeleted',
    ],
    ['a new rollout', { run: one, pods: [running], abort: newRollout }, 'deletePod 7-pre-1'],
    [
      'a new rollout, and it has ended',
      { run: one, pods: [{ ...ended(143, 0), deleted: 1 }], abort: newRollout },
      'recordOutcome 1 Aborted Error',
    ],
    ['its pod is gone, perhaps (S3)', { run: one }, 'lookForPod 1, else Unknown PodLost'],
    [
      'another has its name',
      { run: { attempts: [open(1, { podUID: 'other' })] }, pods: [running] },
      'lookForPod 1, else Unknown PodLost',
    ],
    [
      'an abort before its pod',
      { run: { attempts: [{ number: 1 }] }, abort: newRollout },
      'lookForPod 1, else Aborted NewRollout',
    ],
    [
      'a deadline before its pod',
      { run: { attempts: [{ number: 1 }], deadlineSeconds: 99 } },
      'lookForPod 1, else TimedOut DeadlineExceeded',
    ],
  ])('%s', (...[, row, expected]) => {
    expect(decideRow(row)).toBe(expected);
  });
});
