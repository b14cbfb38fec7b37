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
  exited,
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
    [
      'Releasing enters Progressing after the release',
      { phase: 'Releasing', ...going },
      toPhase('Progressing'),
    ],
    [
      'Releasing enters Done for a revert',
      { phase: 'Releasing', ...going, rollout: { reason: 'Reverted' } },
      toPhase('Done'),
    ],
    ['Progressing waits', { phase: 'Progressing', ...going }, { kind: 'wait' }],
    [
      'Progressing deletes a late hook pod of an older number',
      { phase: 'Progressing', ...going, more: { hookPods: [hookPod({ number: 4 })] } },
      asks('deletePod'),
    ],
    [
      'Progressing waits while the Deployment status is outdated',
      { phase: 'Progressing', ...going, deploymentStatus: { ...counts, observedGeneration: 2 } },
      { kind: 'wait' },
    ],
    [
      'Progressing waits while old pods are left',
      { phase: 'Progressing', ...going, deploymentStatus: { ...counts, replicas: 4 } },
      { kind: 'wait' },
    ],
    [
      'Progressing enters Post with the revision when complete',
      { phase: 'Progressing', ...going, sets, deploymentStatus: counts },
      { status: { rollout: { phase: 'Post', toRevision: '6' } } },
    ],
    [
      'Progressing enters Done when complete without a post hook',
      { phase: 'Progressing', ...going, lifecycle: {}, sets, deploymentStatus: counts },
      {
        status: {
          rollout: { phase: 'Done', reason: 'Completed' },
          released: { number: 5, revision: '6' },
        },
      },
    ],
    [
      'Progressing enters Post at zero replicas (ROLL-C21)',
      { phase: 'Progressing', ...going, spec: { paused: false, replicas: 0 } },
      toPhase('Post'),
    ],
    [
      'Progressing enters Failed, not Post, at the progress deadline (ROLL-C31)',
      { phase: 'Progressing', ...going, deploymentStatus: exceeded('now') },
      toPhase('Failed', { reason: 'ProgressDeadlineExceeded' }),
    ],
    [
      'Progressing ignores a deadline exceeded before the release (ROLL-C32)',
      {
        phase: 'Progressing',
        ...going,
        rollout: { staleProgress: 'then' },
        deploymentStatus: exceeded('then'),
      },
      { kind: 'wait' },
    ],
    [
      'Progressing enters Failed when a user aborts it',
      { phase: 'Progressing', ...going, annotations: { ...free, abort: '5' } },
      toPhase('Failed', { reason: 'AbortedByUser' }),
    ],
    [
      'Post opens its HookRun',
      { phase: 'Post', ...going, deploymentStatus: counts },
      asks('openRun'),
    ],
    [
      'Post that succeeded enters Done',
      { phase: 'Post', ...going, ...ran(settled('post', 'Succeeded')) },
      toPhase('Done'),
    ],
    [
      'Post that failed enters Failed',
      { phase: 'Post', ...going, ...ran(settled('post', 'Failed')) },
      toPhase('Failed', { stage: 'post' }),
    ],
    [
      'Post that succeeded enters Done before the finalizer of its pod is removed',
      {
        phase: 'Post',
        ...going,
        more: { hookRuns: [settled('post', 'Succeeded')], hookPods: [exited('post')] },
      },
      toPhase('Done'),
    ],
    [
      'Done removes the finalizer of a hook pod',
      {
        phase: 'Done',
        ...going,
        more: { hookRuns: [settled('post', 'Succeeded')], hookPods: [exited('post')] },
      },
      asks('removeFinalizer'),
    ],
    [
      'Progressing removes the finalizer of a hook pod while it waits',
      {
        phase: 'Progressing',
        ...going,
        more: { hookRuns: [settled('pre', 'Succeeded')], hookPods: [exited('pre')] },
      },
      asks('removeFinalizer'),
    ],
    ['Done waits', { phase: 'Done', ...going }, { kind: 'wait' }],
    [
      'Failed opens a new number on retry',
      { phase: 'Failed', ...going, annotations: { ...free, retry: '5' } },
      change({ paused: true, annotations: { 'lifehook.dev/rollout': '6' } }),
    ],
    [
      'Done ignores a retry',
      { phase: 'Done', ...going, annotations: { ...free, retry: '5' } },
      { kind: 'wait' },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(facts(sample))).toMatchObject(step);
  });
});
