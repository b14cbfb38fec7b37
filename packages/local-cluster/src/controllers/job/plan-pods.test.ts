import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  sampleJob,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { INDEX } from './indexes.ts';
import { planPods, type PodPlan } from './plan-pods.ts';
import { tallyPods } from './tally.ts';

function plan(
  spec: Parameters<typeof sampleJob>[0],
  succeeded: number,
  pods: readonly Pod[],
): PodPlan {
  const job = sampleJob(spec, { succeeded });
  return planPods(job, tallyPods(job, pods, false), NOW_MS);
}

const active = (count: number): Pod[] =>
  Array.from({ length: count }, (_, index) => samplePod({ name: `p${index}` }));
const at = (name: string, index: number): Pod =>
  samplePod({ name, annotations: { [INDEX]: String(index) } });
const create = (...indexes: (number | null)[]): PodPlan => ({ kind: 'create', indexes });

describe('the pods that a job needs', () => {
  const five = { completions: 5, parallelism: 2 };

  it('are as many as its parallelism, and never more than its remaining completions', () => {
    expect(plan(five, 0, [])).toEqual(create(null, null));
    expect(plan(five, 3, active(1))).toEqual(create(null));
    expect(plan(five, 4, active(1))).toEqual({ kind: 'even' });
  });

  it('are fewer when its parallelism decreases, and none while it is suspended', () => {
    expect(plan({ ...five, parallelism: 1 }, 0, active(2))).toMatchObject({ kind: 'delete' });
    const all = plan({ ...five, suspend: true }, 0, active(2));
    expect(all.kind === 'delete' && all.pods.length).toBe(2);
  });

  it('are replaced while terminating, or with podReplacementPolicy Failed only afterwards', () => {
    const going = samplePod({ name: 'going', going: true });
    const one = { completions: 1, parallelism: 1 };
    expect(plan(one, 0, [going])).toEqual(create(null));
    expect(plan({ ...one, podReplacementPolicy: 'Failed' }, 0, [going])).toEqual({ kind: 'even' });
  });
});

describe('the pods of an indexed job', () => {
  const indexed = { completions: 4, parallelism: 3, completionMode: 'Indexed' };

  it('get the lowest free indexes', () => {
    expect(plan(indexed, 0, [at('a', 1)])).toEqual(create(0, 2));
  });

  it('are deleted when they share an index or have none, before new ones are created', () => {
    const pods = [at('a', 1), at('b', 1), samplePod({ name: 'c' })];
    expect(plan(indexed, 0, pods)).toEqual({ kind: 'delete', pods: pods.slice(1) });
  });
});
