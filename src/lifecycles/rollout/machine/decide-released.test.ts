import { describe, expect, test } from 'vitest';

import { hookPod } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  rollingUpdate,
  free,
  type Case,
  facts,
  settled,
  ran,
  toPhase,
  change,
  asks,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import { versionSet } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';

describe('a phase after the release', () => {
  const counts = { observedGeneration: 3, updatedReplicas: 3, replicas: 3, availableReplicas: 3 };
  const going = { annotations: free, spec: { paused: false }, lifecycle: { rollingUpdate } };
  const exceeded = (time: string): Case['deploymentStatus'] => ({
    conditions: [
      {
        type: 'Progressing',
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        lastUpdateTime: time,
      },
    ],
  });
  const sets = [versionSet('t2', { replicas: 3, revision: 6 })];

  test.each<[string, Case, object]>([
    ['the release is seen', { phase: 'Releasing', ...going }, toPhase('Progressing')],
    [
      'a revert is done with it',
      { phase: 'Releasing', ...going, rollout: { reason: 'Reverted' } },
      toPhase('Done'),
    ],
    ['Progressing waits', { phase: 'Progressing', ...going }, { kind: 'wait' }],
    [
      'Progressing lets a pod go that came when its attempt had ended',
      { phase: 'Progressing', ...going, more: { hookPods: [hookPod({ number: 4 })] } },
      asks('deletePod'),
    ],
    [
      'an older observation is none',
      { phase: 'Progressing', ...going, deploymentStatus: { ...counts, observedGeneration: 2 } },
      { kind: 'wait' },
    ],
    [
      'old pods that are left are waited for',
      { phase: 'Progressing', ...going, deploymentStatus: { ...counts, replicas: 4 } },
      { kind: 'wait' },
    ],
    [
      'complete: post, with the revision',
      { phase: 'Progressing', ...going, sets, deploymentStatus: counts },
      { status: { rollout: { phase: 'Post', toRevision: '6' } } },
    ],
    [
      'complete, without post: done',
      { phase: 'Progressing', ...going, lifecycle: {}, sets, deploymentStatus: counts },
      {
        status: {
          rollout: { phase: 'Done', reason: 'Completed' },
          released: { number: 5, revision: '6' },
        },
      },
    ],
    [
      'complete with no replicas (C21)',
      { phase: 'Progressing', ...going, spec: { paused: false, replicas: 0 } },
      toPhase('Post'),
    ],
    [
      'a deadline that is exceeded: failed, no post (C31)',
      { phase: 'Progressing', ...going, deploymentStatus: exceeded('now') },
      toPhase('Failed', { reason: 'ProgressDeadlineExceeded' }),
    ],
    [
      'one that is older than the release says nothing (C32)',
      {
        phase: 'Progressing',
        ...going,
        rollout: { staleProgress: 'then' },
        deploymentStatus: exceeded('then'),
      },
      { kind: 'wait' },
    ],
    [
      'a person aborts it',
      { phase: 'Progressing', ...going, annotations: { ...free, abort: '5' } },
      toPhase('Failed', { reason: 'AbortedByUser' }),
    ],
    [
      'Post opens its HookRun',
      { phase: 'Post', ...going, deploymentStatus: counts },
      asks('openRun'),
    ],
    [
      'Post that succeeded',
      { phase: 'Post', ...going, ...ran(settled('post', 'Succeeded')) },
      toPhase('Done'),
    ],
    [
      'Post that failed',
      { phase: 'Post', ...going, ...ran(settled('post', 'Failed')) },
      toPhase('Failed', { stage: 'post' }),
    ],
    ['Done rests', { phase: 'Done', ...going }, { kind: 'wait' }],
    [
      'Failed is tried again as a new number',
      { phase: 'Failed', ...going, annotations: { ...free, retry: '5' } },
      change({ paused: true, annotations: { 'lifehook.dev/rollout': '6' } }),
    ],
    [
      'Done is not',
      { phase: 'Done', ...going, annotations: { ...free, retry: '5' } },
      { kind: 'wait' },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(facts(sample))).toMatchObject(step);
  });
});
