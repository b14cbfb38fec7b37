import { describe, expect, it } from 'vitest';

import {
  rollingBy,
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { currentSetSize, limitsOf, planOldSets } from './rolling-plan.ts';

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
    // Old pods that are not available are kept, too, while the new pods are not available.
    expect(plan([3, 0], [8, 6])).toEqual([]);
  });

  it('lose unavailable pods first, and then pods of the oldest set', () => {
    expect(plan([3, 3], [6, 6], [4, 1])).toEqual([
      ['old0', 4],
      ['old1', 1],
    ]);
  });
});

describe('maxSurge and maxUnavailable in pods', () => {
  it.each<[number, number | string, number | string, number, number]>([
    [10, '25%', '25%', 3, 2],
    [3, 0, '1%', 0, 1],
    [1, '25%', '25%', 1, 0],
    [100, '29%', '29%', 29, 29],
    [3, 2, 5, 2, 3],
    [0, '25%', '25%', 0, 0],
  ])(
    'of %d replicas with %s and %s',
    (replicas, ...[surge, unavailable, maxSurge, maxUnavailable]) => {
      const strategy = rollingBy(surge, unavailable);
      expect(limitsOf(sampleDeployment({ replicas, strategy }))).toEqual({
        maxSurge,
        maxUnavailable,
      });
    },
  );

  it('are zero with Recreate', () => {
    const recreate = sampleDeployment({ strategy: { type: 'Recreate' } });
    expect(limitsOf(recreate)).toEqual({ maxSurge: 0, maxUnavailable: 0 });
  });
});
