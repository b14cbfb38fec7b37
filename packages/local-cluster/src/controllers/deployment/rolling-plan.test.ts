import { describe, expect, it } from 'vitest';

import {
  rollingBy,
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { currentSetSize, planOldSets } from './rolling-plan.ts';

const deployment = sampleDeployment({ replicas: 10, strategy: rollingBy(3, 2) });

describe('the current set of a rolling update', () => {
  it.each([
    ['starts with the surge', 10, 0, 3],
    ['grows by the number of old pods removed', 8, 3, 5],
    ['keeps its size while the surge is used up', 10, 3, 3],
    ['never exceeds the desired replicas', 0, 8, 10],
  ])('%s', (_, ...[old, size, expected]) => {
    expect(currentSetSize(deployment, [sampleSet({ name: 'old', size: old })], size)).toBe(
      expected,
    );
  });

  it('has its full size at once with Recreate', () => {
    const recreate = sampleDeployment({ replicas: 4, strategy: { type: 'Recreate' } });
    expect(currentSetSize(recreate, [], 0)).toBe(4);
  });
});

describe('the old sets of a rolling update', () => {
  const plan = (current: [number, number], ...old: [number, number][]): unknown =>
    planOldSets(
      deployment,
      sampleSet({ name: 'new', size: current[0], available: current[1], created: 1 }),
      old.map(([size, available], index) =>
        sampleSet({ name: `old${index}`, size, available, created: 100 - index }),
      ),
    ).map(({ set, size }) => [set.metadata?.name, size]);

  it('scale down by 2 while the 3 new pods are not available yet', () => {
    expect(plan([3, 0], [10, 10])).toEqual([['old0', 8]]);
  });

  it('scale down by 3 more when the new pods are available', () => {
    expect(plan([3, 3], [8, 8])).toEqual([['old0', 5]]);
  });

  it('keep their size while no pod can be removed', () => {
    expect(plan([5, 3], [8, 5])).toEqual([['old0', 5]]);
    expect(plan([3, 0], [8, 8])).toEqual([]);
    // Not even those that serve no client, while the new ones do not serve yet.
    expect(plan([3, 0], [8, 6])).toEqual([]);
  });

  it('lose unavailable pods first, and then pods of the oldest set', () => {
    expect(plan([3, 3], [6, 6], [4, 1])).toEqual([
      ['old0', 4],
      ['old1', 1],
    ]);
  });
});
