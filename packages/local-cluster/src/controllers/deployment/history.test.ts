import { expect, it } from 'vitest';

import {
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { setsToDelete } from './sync.ts';
import { REVISION } from './revisions.ts';

const old = [5, 3, 1, 2, 4].map((revision) =>
  sampleSet({
    name: `r${revision}`,
    size: revision === 2 ? 1 : 0,
    annotations: { [REVISION]: String(revision) },
  }),
);
const deleted = (revisionHistoryLimit: number): unknown =>
  setsToDelete(sampleDeployment({ revisionHistoryLimit }), old).map(
    ({ metadata }) => metadata?.name,
  );

it('setsToDelete returns the lowest revisions above the limit, except sets with pods', () => {
  expect(deleted(2)).toEqual(['r1', 'r3']);
  expect(deleted(5)).toEqual([]);
});

it('setsToDelete returns all empty sets with a limit of 0 (ROLL-E25), and none without a limit', () => {
  expect(deleted(0)).toEqual(['r1', 'r3', 'r4', 'r5']);
  expect(deleted(2_147_483_647)).toEqual([]);
});

it('setsToDelete keeps a set that still has pods, or whose status is outdated', () => {
  const [set] = old;
  if (set === undefined) throw new Error('no set');
  const changed = { ...set, metadata: { ...set.metadata, generation: 2 } };
  const emptying = sampleSet({ name: 'emptying', size: 0, replicas: 1 });
  const deployment = sampleDeployment({ revisionHistoryLimit: 0 });
  expect(setsToDelete(deployment, [changed, emptying])).toEqual([]);
});
