import { describe, expect, it } from 'vitest';

import {
  rollingBy,
  sampleDeployment,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { limitsOf } from './limits.ts';

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
