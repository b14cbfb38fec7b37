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
  const terminating = { annotations: free, spec: { paused: false }, lifecycle: { rollingUpdate } };
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
      { phase: 'Releasing', ...terminating },
      toPhase('Progressing'),
    ],
    [
      'Releasing enters Done for a revert',
      { phase: 'Releasing', ...terminating, rollout: { reason: 'Reverted' } },
      toPhase('Done'),
    ],
    ['Progressing waits', { phase: 'Progressing', ...terminating }, { kind: 'wait' }],
    [
      'Progressing deletes a late hook pod of an older number',
      { phase: 'Progressing', ...terminating, more: { hookPods: [hookPod({ number: 4 })] } },
      asks('deletePod'),
    ],
    [
      'Progressing waits while the Deployment status is outdated',
      {
        phase: 'Progressing',
        ...terminating,
        deploymentStatus: { ...counts, observedGeneration: 2 },
      },
      { kind: 'wait' },
    ],
    [
      'Progressing waits while old pods are left',
      { phase: 'Progressing', ...terminating, deploymentStatus: { ...counts, replicas: 4 } },
      { kind: 'wait' },
    ],
    [
      'Progressing enters Post with the revision when complete',
      { phase: 'Progressing', ...terminating, sets, deploymentStatus: counts },
      { status: { rollout: { phase: 'Post', toRevision: '6' } } },
    ],
    [
      'Progressing enters Done when complete without a post hook',
      { phase: 'Progressing', ...terminating, lifecycle: {}, sets, deploymentStatus: counts },
      {
        status: {
          rollout: { phase: 'Done', reason: 'Completed' },
          released: { number: 5, revision: '6' },
        },
      },
    ],
    [
      'Progressing enters Post at zero replicas (ROLL-C21)',
      { phase: 'Progressing', ...terminating, spec: { paused: false, replicas: 0 } },
      toPhase('Post'),
    ],
    [
      'Progressing enters Failed, not Post, at the progress deadline (ROLL-C31)',
      { phase: 'Progressing', ...terminating, deploymentStatus: exceeded('now') },
      toPhase('Failed', { reason: 'ProgressDeadlineExceeded' }),
    ],
    [
      'Progressing ignores a deadline exceeded before the release (ROLL-C32)',
      {
        phase: 'Progressing',
        ...terminating,
        rollout: { staleProgress: 'then' },
        deploymentStatus: exceeded('then'),
      },
      { kind: 'wait' },
    ],
    [
      'Progressing enters Failed when a user aborts it',
      { phase: 'Progressing', ...terminating, annotations: { ...free, abort: '5' } },
      toPhase('Failed', { reason: 'AbortedByUser' }),
    ],
    [
      'Post opens its HookRun',
      { phase: 'Post', ...terminating, deploymentStatus: counts },
      asks('openRun'),
    ],
    [
      'Post that succeeded enters Done',
      { phase: 'Post', ...terminating, ...ran(settled('post', 'Succeeded')) },
      toPhase('Done'),
    ],
    [
      'Post that failed enters Failed',
      { phase: 'Post', ...terminating, ...ran(settled('post', 'Failed')) },
      toPhase('Failed', { stage: 'post' }),
    ],
    [
      'Post that succeeded enters Done before the finalizer of its pod is removed',
      {
        phase: 'Post',
        ...terminating,
        more: { hookRuns: [settled('post', 'Succeeded')], hookPods: [exited('post')] },
      },
      toPhase('Done'),
    ],
    [
      'Done removes the finalizer of a hook pod',
      {
        phase: 'Done',
        ...terminating,
        more: { hookRuns: [settled('post', 'Succeeded')], hookPods: [exited('post')] },
      },
      asks('removeFinalizer'),
    ],
    [
      'Progressing removes the finalizer of a hook pod while it waits',
      {
        phase: 'Progressing',
        ...terminating,
        more: { hookRuns: [settled('pre', 'Succeeded')], hookPods: [exited('pre')] },
      },
      asks('removeFinalizer'),
    ],
    ['Done waits', { phase: 'Done', ...terminating }, { kind: 'wait' }],
    [
      'Failed opens a new number on retry',
      { phase: 'Failed', ...terminating, annotations: { ...free, retry: '5' } },
      change({ paused: true, annotations: { 'lifehook.dev/rollout': '6' } }),
    ],
    [
      'Done ignores a retry',
      { phase: 'Done', ...terminating, annotations: { ...free, retry: '5' } },
      { kind: 'wait' },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(facts(sample))).toMatchObject(step);
  });
});
