import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  sampleJob,
  type SamplePod,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { backoffLeftMs, postpone } from './backoff.ts';
import { INDEX } from './indexes.ts';

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
  const at = (index: number, ended: number): Pod => ({
    ...samplePod({ ...failed(ended), annotations: { [INDEX]: String(index) } }),
  });
  const plan = { kind: 'create', indexes: [0, 1, 2] } as const;
  const pods = [at(0, 4), at(1, 30)];

  it('all wait after the last failure', () => {
    const job = sampleJob({ completions: 3, completionMode: 'Indexed' });
    expect(postpone(plan, { job, pods, nowMs: NOW_MS })).toEqual({
      plan: { kind: 'even' },
      waitMs: 16_000,
    });
  });

  it('wait each for the failures of their own index with backoffLimitPerIndex', () => {
    const job = sampleJob({ completions: 3, completionMode: 'Indexed', backoffLimitPerIndex: 2 });
    expect(postpone(plan, { job, pods, nowMs: NOW_MS })).toEqual({
      plan: { kind: 'create', indexes: [1, 2] },
      waitMs: 6_000,
    });
  });
});
