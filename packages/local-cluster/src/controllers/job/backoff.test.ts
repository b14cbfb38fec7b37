import { describe, expect, it } from 'vitest';

import {
  NOW_MS,
  type SamplePod,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { backoffLeftMs, postpone } from './backoff.ts';

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
  const plan = { kind: 'create', count: 3 } as const;
  const pods = [failed(4), failed(30)].map(samplePod);

  it('all wait after the last failure', () => {
    expect(postpone(plan, pods, NOW_MS)).toEqual({ plan: { kind: 'even' }, waitMs: 16_000 });
  });

  it('are created at once when none has failed', () => {
    expect(postpone(plan, [], NOW_MS)).toEqual({ plan, waitMs: null });
  });
});
