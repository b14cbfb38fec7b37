import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  samplePod,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { nextReconcile, planReplicas } from './replica-set-controller.ts';

const pods = (...names: readonly string[]): ReturnType<typeof samplePod>[] =>
  names.map((name) => samplePod({ name }));

describe('the pods of a replica set', () => {
  it('are unchanged when there are as many as replicas', () => {
    expect(planReplicas(sampleSet({ name: 'web', size: 2 }), pods('a', 'b'), NOW_MS)).toEqual({
      kind: 'even',
    });
  });

  it('are created when some are missing, at most 500 per reconcile', () => {
    const plan = (size: number): unknown =>
      planReplicas(sampleSet({ name: 'web', size }), pods('a'), NOW_MS);
    expect(plan(3)).toEqual({ kind: 'create', count: 2 });
    expect(plan(2_000)).toEqual({ kind: 'create', count: 500 });
  });

  it('are deleted when there are too many, pods that are not ready first', () => {
    const active = [samplePod({ name: 'a' }), samplePod({ name: 'b', ready: null })];
    const plan = planReplicas(sampleSet({ name: 'web', size: 1 }), active, NOW_MS);
    expect(plan).toEqual({ kind: 'delete', pods: [active[1]] });
  });
});

describe('the next reconcile of a replica set', () => {
  const sample = sampleSet({ name: 'web', size: 1 });
  const { selector = {} } = sample.spec ?? {};
  const replicaSet = { ...sample, spec: { ...sample.spec, selector, minReadySeconds: 3_600 } };
  const facts = { replicaSet, active: pods('a'), terminating: [], failure: null, nowMs: NOW_MS };
  const waiting = { ms: 300_000, reason: 'one creation is not in the cache yet' };

  it('does not wait for a ready pod longer than for the cache', () => {
    expect(nextReconcile(facts, waiting)).toEqual({ kind: 'requeueAfter', ...waiting });
  });

  it('is when the next pod becomes available, or at the next change', () => {
    expect(nextReconcile(facts, null)).toMatchObject({
      reason: 'a pod has not been ready for long enough',
    });
    const none = { ...facts, active: [] };
    expect(nextReconcile(none, waiting)).toEqual({ kind: 'requeueAfter', ...waiting });
    expect(nextReconcile(none, null)).toEqual({ kind: 'done' });
  });
});
