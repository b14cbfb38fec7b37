import { describe, expect, it } from 'vitest';

import {
  rollingBy,
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { sharesOf } from './scale.ts';

const MAX = 'deployment.kubernetes.io/max-replicas';

interface Case {
  readonly replicas: number;
  readonly surge: number;
  readonly max: number | null;
  /** Sizes of the ReplicaSets, the oldest first. */
  readonly sizes: readonly number[];
}

function shares({ replicas, surge, max, sizes }: Case): unknown {
  const annotations: Record<string, string> = max === null ? {} : { [MAX]: String(max) };
  const sets = sizes.map((size, index) =>
    sampleSet({ name: `s${index}`, size, created: 100 - index * 10, annotations }),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const deployment = sampleDeployment(
    { replicas, strategy: rollingBy(surge, 0) },
    { status: { replicas: total } },
  );
  return Object.fromEntries(
    sharesOf(deployment, sets).map(({ set, size }) => [set.metadata?.name, size]),
  );
}

describe('scaling during a rollout', () => {
  it.each<[string, Case, object]>([
    [
      'distributes 10 to 15 in proportion',
      { replicas: 15, surge: 3, max: 13, sizes: [5, 8] },
      { s0: 7, s1: 11 },
    ],
    [
      'distributes 15 to 10 in proportion',
      { replicas: 10, surge: 3, max: 18, sizes: [7, 11] },
      { s0: 5, s1: 8 },
    ],
    [
      'sets every set to 0 when scaled to 0',
      { replicas: 0, surge: 3, max: 13, sizes: [5, 8] },
      { s0: 0, s1: 0 },
    ],
    [
      'gives the remainder of rounding to the newest of equal sets',
      { replicas: 4, surge: 0, max: 3, sizes: [1, 1, 1] },
      { s0: 1, s1: 1, s2: 2 },
    ],
    [
      'takes the remainder of rounding from the oldest of equal sets',
      { replicas: 2, surge: 0, max: 3, sizes: [1, 1, 1] },
      { s0: 0, s1: 1, s2: 1 },
    ],
    [
      'uses the total of the sets without an annotation',
      { replicas: 20, surge: 0, max: null, sizes: [5, 5] },
      { s0: 10, s1: 10 },
    ],
    [
      'keeps the sizes when nothing changes',
      { replicas: 10, surge: 3, max: 13, sizes: [5, 8] },
      { s0: 5, s1: 8 },
    ],
  ])('%s', (_, example, expected) => {
    expect(shares(example)).toEqual(expected);
  });
});
