import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, test } from 'vitest';

import { machineFacts } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { exceededProgress, isComplete, isObserved } from './parts.ts';

/** A Deployment of generation 3 with three replicas and this status. */
function withStatus(status: NonNullable<Deployment['status']>): Deployment {
  return machineFacts({ deploymentStatus: status }).deployment;
}

describe('a Deployment is complete (ROLL-DH11)', () => {
  const all = { updatedReplicas: 3, replicas: 3, availableReplicas: 3 };

  test.each<[string, NonNullable<Deployment['status']>, boolean]>([
    ['when all of its pods are new and available', all, true],
    ['not while a pod is old', { ...all, updatedReplicas: 2 }, false],
    ['not while an old pod is left', { ...all, replicas: 4 }, false],
    ['not while a pod is unavailable', { ...all, availableReplicas: 2 }, false],
    ['not before its controller has seen its spec', { ...all, observedGeneration: 2 }, false],
    ['not before its controller has counted', {}, false],
  ])('%s', (...[, status, complete]) => {
    expect(isComplete(withStatus(status))).toBe(complete);
  });

  test('with one pod where its spec does not say how many', () => {
    const { spec: _, ...deployment } = withStatus({
      updatedReplicas: 1,
      replicas: 1,
      availableReplicas: 1,
    });
    expect(isComplete(deployment)).toBe(true);
  });
});

test('an object without a status was not observed', () => {
  expect(isObserved({ metadata: { generation: 1 } })).toBe(false);
  expect(isObserved({ metadata: {}, status: {} })).toBe(true);
});

describe('the progress deadline', () => {
  const exceeded = {
    type: 'Progressing',
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
  };

  test('was exceeded where the condition Progressing says so', () => {
    const conditions = [{ type: 'Available', status: 'True' }, exceeded];
    expect(exceededProgress(withStatus({ conditions }))).toBe(conditions[1]);
  });

  test.each([
    ['the condition has another reason', [{ ...exceeded, reason: 'ReplicaSetUpdated' }]],
    ['a condition of another type has the reason', [{ ...exceeded, type: 'Available' }]],
    ['there are no conditions', []],
  ])('was not exceeded where %s', (_, conditions) => {
    expect(exceededProgress(withStatus({ conditions }))).toBeNull();
  });

  test('was not exceeded of a Deployment without a status', () => {
    expect(exceededProgress({ metadata: {} })).toBeNull();
  });
});
