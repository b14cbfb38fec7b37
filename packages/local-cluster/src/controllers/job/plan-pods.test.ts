import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  sampleJob,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
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
const create = (count: number): PodPlan => ({ kind: 'create', count });

describe('the pods that a job needs', () => {
  const five = { completions: 5, parallelism: 2 };

  it('are as many as its parallelism, and never more than its remaining completions', () => {
    expect(plan(five, 0, [])).toEqual(create(2));
    expect(plan(five, 3, active(1))).toEqual(create(1));
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
    expect(plan(one, 0, [going])).toEqual(create(1));
    expect(plan({ ...one, podReplacementPolicy: 'Failed' }, 0, [going])).toEqual({ kind: 'even' });
  });
});
