import { describe, expect, it } from 'vitest';

import { NOW_MS, samplePod, sampleSet } from '../../../../test/fixtures/rollout/sample-objects.ts';
import { planReplicas } from './plan-replicas.ts';

const pods = (...names: readonly string[]): ReturnType<typeof samplePod>[] =>
  names.map((name) => samplePod({ name }));

describe('the pods of a replica set', () => {
  it('are left alone where there are as many as asked for', () => {
    expect(planReplicas(sampleSet({ name: 'web', size: 2 }), pods('a', 'b'), NOW_MS)).toEqual({
      kind: 'even',
    });
  });

  it('are made where some are missing, at most 500 in a pass', () => {
    const plan = (size: number): unknown =>
      planReplicas(sampleSet({ name: 'web', size }), pods('a'), NOW_MS);
    expect(plan(3)).toEqual({ kind: 'create', count: 2 });
    expect(plan(2_000)).toEqual({ kind: 'create', count: 500 });
  });

  it('are deleted where they are too many, the least useful first', () => {
    const active = [samplePod({ name: 'a' }), samplePod({ name: 'b', ready: null })];
    const plan = planReplicas(sampleSet({ name: 'web', size: 1 }), active, NOW_MS);
    expect(plan).toEqual({ kind: 'delete', pods: [active[1]] });
  });
});
