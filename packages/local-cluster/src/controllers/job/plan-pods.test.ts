import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  sampleJob,
  samplePod,
  type SamplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import type { PodPlan } from '../workload/pod-requests.ts';
import { planPods, backoffLeftMs, postpone } from './plan-pods.ts';
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
    const terminating = samplePod({ name: 'going', terminating: true });
    const one = { completions: 1, parallelism: 1 };
    expect(plan(one, 0, [terminating])).toEqual(create(1));
    expect(plan({ ...one, podReplacementPolicy: 'Failed' }, 0, [terminating])).toEqual({
      kind: 'even',
    });
  });
});

const left = (...samples: readonly SamplePod[]): number =>
  backoffLeftMs(samples.map(samplePod), NOW_MS);
const failed = (ended: number): SamplePod => ({ phase: 'Failed', exitCode: 1, ended });
const succeeded = (ended: number): SamplePod => ({ phase: 'Succeeded', exitCode: 0, ended });

describe('a job waits before it replaces a pod', () => {
  it.each<[string, SamplePod[], number]>([
    ['no time before the first pod', [], 0],
    ['10 s after the first failure', [failed(4)], 6_000],
    ['20 s after the second', [failed(34), failed(4)], 16_000],
    ['40 s after the third', [failed(90), failed(34), failed(4)], 36_000],
    ['no longer than the backoff', [failed(11)], 0],
    [
      'counting failures since its last success only',
      [failed(90), succeeded(60), failed(4)],
      6_000,
    ],
    ['no time after a success', [failed(4), succeeded(2)], 0],
  ])('%s', (_, samples, ms) => {
    expect(left(...samples)).toBe(ms);
  });

  it('10 minutes at most', () => {
    expect(left(...Array.from({ length: 12 }, () => failed(0)))).toBe(600_000);
  });
});

describe('the pods that a job needs', () => {
  const creating = { kind: 'create', count: 3 } as const;
  const pods = [failed(4), failed(30)].map(samplePod);

  it('all wait after the last failure', () => {
    expect(postpone(creating, pods, NOW_MS)).toEqual({ plan: { kind: 'even' }, waitMs: 16_000 });
  });

  it('are created at once when none has failed', () => {
    expect(postpone(creating, [], NOW_MS)).toEqual({ plan: creating, waitMs: null });
  });
});
