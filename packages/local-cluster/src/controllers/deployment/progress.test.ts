import type { DeploymentCondition, DeploymentStatus } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import {
  ago,
  NOW_MS,
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { lookAgainInMs, withProgress } from './progress.ts';

const reported = (
  reason: string,
  seconds: number,
  status: string = 'True',
): DeploymentCondition => ({
  type: 'Progressing',
  status,
  reason,
  message: '',
  lastUpdateTime: ago(seconds),
  lastTransitionTime: ago(500),
});

interface Case {
  readonly before: DeploymentCondition | null;
  readonly was?: DeploymentStatus;
  readonly is?: DeploymentStatus;
}

const sets = { current: sampleSet({ name: 'new', size: 3, available: 0 }), old: [] };
const COUNTS: DeploymentStatus = { observedGeneration: 1, replicas: 4, updatedReplicas: 2 };

function judge({ before, was = COUNTS, is = COUNTS }: Case): DeploymentCondition | undefined {
  const conditions = before === null ? [] : [before];
  const deployment = sampleDeployment({}, { status: { ...was, conditions } });
  const status = withProgress(deployment, sets, { status: { ...is, conditions }, nowMs: NOW_MS });
  return status.conditions?.find(({ type }) => type === 'Progressing');
}

describe('the progress of a rollout', () => {
  it('exceeds its deadline when nothing has changed for longer than the deadline, not at it', () => {
    expect(judge({ before: reported('ReplicaSetUpdated', 60) })?.reason).toBe('ReplicaSetUpdated');
    expect(judge({ before: reported('ReplicaSetUpdated', 61) })).toEqual({
      type: 'Progressing',
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'ReplicaSet "new" has timed out progressing.',
      lastUpdateTime: ago(0),
      lastTransitionTime: ago(0),
    });
  });

  it.each<[string, DeploymentStatus]>([
    ['one more new pod', { ...COUNTS, replicas: 5, updatedReplicas: 3 }],
    ['one old pod less', { ...COUNTS, replicas: 3 }],
    ['one more ready', { ...COUNTS, readyReplicas: 1 }],
    ['one more available', { ...COUNTS, availableReplicas: 1 }],
  ])('is renewed by %s, and the deadline starts again', (_, is) => {
    expect(judge({ before: reported('ReplicaSetUpdated', 100), is })).toMatchObject({
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: ago(0),
      lastTransitionTime: ago(500),
    });
  });

  it('is complete when all pods are new and available', () => {
    const is = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
    expect(judge({ before: reported('ReplicaSetUpdated', 100), is })).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "new" has successfully progressed.',
    });
  });

  it('is unchanged when only the number of pods changes after it completed', () => {
    const was = { replicas: 3, updatedReplicas: 3 };
    const before = reported('NewReplicaSetAvailable', 5_000);
    expect(judge({ before, was, is: { replicas: 5, updatedReplicas: 5 } })).toEqual(before);
  });

  it('is counted from the end of a pause (ROLL-E9)', () => {
    const before = reported('DeploymentResumed', 30, 'Unknown');
    expect(judge({ before })).toEqual(before);
  });

  it('has no condition without a deadline', () => {
    const deployment = sampleDeployment({ progressDeadlineSeconds: 2_147_483_647 });
    const status = { conditions: [reported('ReplicaSetUpdated', 100)] };
    expect(withProgress(deployment, sets, { status, nowMs: NOW_MS }).conditions).toEqual([]);
  });
});

describe('a deployment is reconciled again', () => {
  const again = (condition: DeploymentCondition): number | null => {
    const deployment = sampleDeployment({}, { status: { conditions: [condition] } });
    return lookAgainInMs(deployment, COUNTS, NOW_MS);
  };

  it('one second after its deadline', () => {
    expect(again(reported('ReplicaSetUpdated', 45))).toBe(16_000);
    expect(again(reported('ReplicaSetUpdated', 100))).toBe(1_000);
  });

  it('at no set time once the deadline is exceeded', () => {
    expect(again(reported('ProgressDeadlineExceeded', 1, 'False'))).toBeNull();
  });
});

it('a failure of the current set becomes a condition of the deployment, and is removed with it', () => {
  const failure = {
    type: 'ReplicaFailure',
    status: 'True',
    reason: 'FailedCreate',
    message: 'quota',
  };
  const current = {
    ...sets.current,
    status: { replicas: 0, conditions: [{ ...failure, lastTransitionTime: ago(9) }] },
  };
  const deployment = sampleDeployment({ progressDeadlineSeconds: 2_147_483_647 });
  const options = { status: COUNTS, nowMs: NOW_MS };
  const failed = withProgress(deployment, { current, old: [] }, options);
  expect(failed.conditions).toEqual([
    { ...failure, lastTransitionTime: ago(9), lastUpdateTime: ago(9) },
  ]);
  const well = withProgress(deployment, sets, { ...options, status: failed });
  expect(well.conditions).toEqual([]);
});
