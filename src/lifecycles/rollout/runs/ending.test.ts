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
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import { words } from '../../../../test/fixtures/rollout/stage-words.ts';
import { decideEnding } from './ending.ts';
import type { StageStep } from './stage.ts';

describe('the end of a HookRun for a new rollout (ROLL-DH18)', () => {
  const end = (run: SampleRun, pods: readonly SampleHookPod[] = []): StageStep => {
    const all = pods.map((pod) => hookPod(pod));
    return decideEnding({ run: sampleRun(run), pods: all, nowMs: NOW_MS, abort: newRollout });
  };
  const ignored = { failurePolicy: 'Ignore' } as const;

  it.each<[string, SampleRun, SampleHookPod[], string]>([
    ['that has not started', {}, [], 'settleRun Aborted NewRollout'],
    ['that runs', { attempts: [open(1)] }, [running], 'deletePod 7-pre-1'],
    [
      'whose pod is terminating',
      { attempts: [open(1)] },
      [{ ...running, deleted: 1 }],
      'wait for a change',
    ],
    [
      'whose pod is not recorded',
      { attempts: [{ number: 1 }] },
      [],
      'lookForPod 1, else Aborted NewRollout',
    ],
    [
      'whose pod has exited',
      { attempts: [open(1)] },
      [ended(0)],
      'recordOutcome 1 Succeeded Completed',
    ],
    [
      'between two attempts',
      { attempts: [attempt(1, 'Failed')] },
      [],
      'settleRun Aborted NewRollout',
    ],
    [
      'whose hook has succeeded already',
      { attempts: [attempt(1, 'Succeeded')] },
      [],
      'settleRun Succeeded Succeeded',
    ],
    [
      'whose failure is ignored',
      { hook: ignored, attempts: [attempt(1, 'Failed')] },
      [],
      'settleRun Ignored HookFailed',
    ],
    [
      'that is settled while its pod is terminating',
      { status: { phase: 'Aborted' } },
      [{ ...running, deleted: 1 }],
      'wait for a change',
    ],
    [
      'that is settled while its pod has our finalizer',
      { status: { phase: 'Aborted' } },
      [ended(1)],
      'removeFinalizer 7-pre-1',
    ],
    [
      'that is settled and released',
      { status: { phase: 'Aborted' } },
      [{ ...ended(1), held: false }],
      'settled Aborted Aborted',
    ],
    [
      'that is settled, next to a pod of another rollout',
      { status: { phase: 'Aborted' } },
      [{ ...running, number: 6 }],
      'settled Aborted Aborted',
    ],
  ])('a run %s', (...[, run, pods, expected]) => {
    expect(words(end(run, pods))).toBe(expected);
  });
});
