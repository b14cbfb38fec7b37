import { describe, expect, it } from 'vitest';

import {
  ago,
  NOW_MS,
  samplePod,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import {
  nextAvailableInMs,
  type ReplicaSetFacts,
  replicaSetStatus,
} from './replica-set-controller.ts';

const base = sampleSet({ name: 'web', size: 3 });
const template = { metadata: { labels: { app: 'web' } } };
const set = { ...base, spec: { replicas: 3, selector: {}, minReadySeconds: 10, template } };
const labels = { app: 'web' };
const facts: ReplicaSetFacts = {
  replicaSet: set,
  active: [
    samplePod({ name: 'a', labels, ready: 20 }),
    samplePod({ name: 'b', labels, ready: 4 }),
    samplePod({ name: 'c', ready: null }),
  ],
  terminating: [samplePod({ name: 'd', terminating: true })],
  failure: null,
  nowMs: NOW_MS,
};

describe('the status of a replica set', () => {
  it('counts all, labelled, ready, available and terminating pods', () => {
    expect(replicaSetStatus(facts)).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 1,
    });
  });

  it('reports when the next pod will have been ready for minReadySeconds', () => {
    expect(nextAvailableInMs(facts)).toBe(6_001);
    expect(nextAvailableInMs({ ...facts, active: [] })).toBeNull();
  });

  it('keeps the first failure until a reconcile succeeds', () => {
    const failure = { reason: 'FailedCreate', message: 'quota' } as const;
    const { conditions = [] } = replicaSetStatus({ ...facts, failure });
    expect(conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: ago(0), ...failure },
    ]);
    const failed = { ...set, status: { replicas: 0, conditions } };
    const later = { ...facts, replicaSet: failed, nowMs: NOW_MS + 60_000 };
    expect(
      replicaSetStatus({ ...later, failure: { ...failure, message: 'x' } }).conditions,
    ).toEqual(conditions);
    expect(replicaSetStatus(later).conditions).toBeUndefined();
  });
});
