import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  type SamplePod,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { deletionCost, rankForDeletion } from './rank-pods.ts';

const COST = 'controller.kubernetes.io/pod-deletion-cost';

const order = (...samples: readonly SamplePod[]): readonly (string | undefined)[] =>
  rankForDeletion(samples.map(samplePod), NOW_MS).map(({ metadata }) => metadata?.name);

describe('surplus pods are deleted in this order', () => {
  const rules: readonly [string, SamplePod, SamplePod][] = [
    [
      'not assigned to a node',
      { node: null, phase: 'Pending', ready: 1 },
      { phase: 'Pending', ready: 9 },
    ],
    ['pending before unknown', { phase: 'Pending' }, { phase: 'Unknown', ready: 1 }],
    ['unknown before running', { phase: 'Unknown' }, { phase: 'Running', ready: 1 }],
    ['not ready', { ready: null, created: 900 }, { ready: 9, created: 10 }],
    ['cheaper', { annotations: { [COST]: '-5' }, ready: 900 }, { ready: 1 }],
    ['ready for a shorter time', { ready: 240, created: 900 }, { ready: 300, created: 10 }],
    ['more restarts', { restarts: 2, created: 900 }, { restarts: 1, created: 10 }],
    ['younger', { created: 240 }, { created: 300 }],
  ];

  it.each(rules)('%s first', (_, first, second) => {
    expect(order({ ...second, name: 'b' }, { ...first, name: 'a' })).toEqual(['a', 'b']);
    expect(order({ ...first, name: 'b' }, { ...second, name: 'a' })).toEqual(['b', 'a']);
  });

  it('ages within one power of two are equal, and the uid decides', () => {
    expect(order({ name: 'b', ready: 180 }, { name: 'a', ready: 240 })).toEqual(['a', 'b']);
    expect(order({ name: 'b', ready: 240 }, { name: 'a', ready: 180 })).toEqual(['a', 'b']);
  });

  it.each([
    ['7', 7],
    ['-2147483648', -2_147_483_648],
    ['2147483648', 0],
    ['07', 0],
    ['+7', 0],
    ['cheap', 0],
  ])('a cost of %j counts as %d', (text, cost) => {
    expect(deletionCost(samplePod({ annotations: { [COST]: text } }))).toBe(cost);
  });
});
