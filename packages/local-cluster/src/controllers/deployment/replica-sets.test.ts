import { describe, expect, it } from 'vitest';

import {
  sampleDeployment,
  sampleSet,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { activeOrLatest, isSaturated, type ReplicaSets, sortOut } from './replica-sets.ts';

const names = ({ current, old }: ReplicaSets): unknown => [
  current?.metadata?.name ?? null,
  old.map(({ metadata }) => metadata?.name),
];
const target = (sets: Parameters<typeof sortOut>[1]): string | undefined =>
  activeOrLatest(sortOut(sampleDeployment(), sets))?.metadata?.name;

describe('the replica sets of a deployment', () => {
  it('are split into the oldest with the present template, and the others', () => {
    const sets = [
      sampleSet({ name: 'c', size: 0, version: 'new', created: 10 }),
      sampleSet({ name: 'b', size: 0, version: 'new', created: 50 }),
      sampleSet({ name: 'a', size: 3, version: 'old' }),
    ];
    expect(names(sortOut(sampleDeployment(), sets))).toEqual(['b', ['c', 'a']]);
    expect(names(sortOut(sampleDeployment(), sets.slice(2)))).toEqual([null, ['a']]);
  });

  it('created in the same second are ordered by name', () => {
    const sets = ['b', 'a'].map((name) => sampleSet({ name, size: 0, version: 'new' }));
    expect(names(sortOut(sampleDeployment(), sets))).toEqual(['a', ['b']]);
  });
});

describe('a change of replicas alone is applied to', () => {
  const t1 = sampleSet({ name: 't1', size: 3, created: 90 });
  const t2 = sampleSet({ name: 't2', size: 0, created: 50 });
  const none = (set: typeof t1): typeof t1 => ({ ...set, spec: { selector: {}, replicas: 0 } });
  const current = sampleSet({ name: 'new', size: 0, created: 10 });

  it('the only set with pods (ROLL-E3)', () => {
    expect(target([t1, t2, current])).toBe('t1');
  });

  it('the current set when no set has pods, paused or not (ROLL-E5, ROLL-E15)', () => {
    expect(target([none(t1), t2, current])).toBe('new');
  });

  it('the newest set when none has pods and there is no current set (ROLL-E4, ROLL-E8)', () => {
    expect(target([none(t1), t2])).toBe('t2');
    expect(target([none(t1)])).toBe('t1');
  });

  it('no set when several have pods, or when there is no set', () => {
    expect(target([t1, sampleSet({ name: 'new', size: 1 })])).toBeUndefined();
    expect(target([])).toBeUndefined();
  });
});

it('a set is saturated when it has its desired size and annotation, and all pods are available', () => {
  const annotations = { 'deployment.kubernetes.io/desired-replicas': '3' };
  const full = { name: 'new', size: 3, annotations };
  expect(isSaturated(sampleSet(full), 3)).toBe(true);
  expect(isSaturated(sampleSet({ ...full, available: 2 }), 3)).toBe(false);
  expect(isSaturated(sampleSet({ ...full, annotations: {} }), 3)).toBe(false);
  expect(isSaturated(null, 3)).toBe(false);
});
