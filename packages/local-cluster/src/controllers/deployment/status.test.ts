import { describe, expect, it } from 'vitest';

import {
  ago,
  NOW_MS,
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { deploymentStatus, isComplete } from './status.ts';

const old = sampleSet({ name: 'old', size: 2, available: 2, replicas: 2 });
const current = sampleSet({ name: 'new', size: 2, available: 0, replicas: 1 });

describe('the status of a deployment', () => {
  it('counts the pods of its sets, and omits zero counts', () => {
    const { conditions = [], ...counts } = deploymentStatus(
      sampleDeployment(),
      { current, old: [old] },
      NOW_MS,
    );
    expect(counts).toEqual({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 2,
    });
    expect(conditions.map(({ status, reason }) => [status, reason])).toEqual([
      ['False', 'MinimumReplicasUnavailable'],
    ]);
  });

  it('is available with one pod less when the strategy allows it', () => {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
    const deployment = sampleDeployment({ strategy: { type: 'RollingUpdate', rollingUpdate } });
    const { conditions } = deploymentStatus(deployment, { current: null, old: [old] }, NOW_MS);
    expect(conditions).toEqual([
      {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
        lastUpdateTime: ago(0),
        lastTransitionTime: ago(0),
      },
    ]);
  });

  it('keeps its collisionCount', () => {
    const deployment = sampleDeployment({}, { status: { collisionCount: 2 } });
    const status = deploymentStatus(deployment, { current: null, old: [] }, NOW_MS);
    expect(status.collisionCount).toBe(2);
  });
});

it('a rollout is complete when all pods are new and available, and the spec was observed', () => {
  const status = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 1 };
  expect(isComplete(sampleDeployment(), status)).toBe(true);
  for (const field of ['replicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration']) {
    expect(isComplete(sampleDeployment(), { ...status, [field]: 0 })).toBe(false);
  }
});
