import type { Job, JobStatus } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  sampleJob,
  type SamplePod,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { failedOf, succeededOf, TRACKING, tallyPods } from './tally.ts';

const held = (name: string, sample: SamplePod): Pod =>
  samplePod({ ...sample, name, finalizers: [TRACKING] });
const free = (name: string, sample: SamplePod): Pod => samplePod({ ...sample, name });
const job = (status: JobStatus = {}, spec: Parameters<typeof sampleJob>[0] = {}): Job =>
  sampleJob({ completions: 5, ...spec }, status);

describe('the end of a pod', () => {
  it('is recorded by uid first, and then its finalizer may be removed (CLUS-T1)', () => {
    const pods = [held('a', { phase: 'Succeeded' }), held('b', { phase: 'Failed' }), held('c', {})];
    const tally = tallyPods(job({ succeeded: 1 }), pods, false);
    expect(tally).toMatchObject({
      countedSucceeded: 1,
      countedFailed: 0,
      uncountedSucceeded: ['uid-a'],
      uncountedFailed: ['uid-b'],
    });
    expect(tally.settled).toEqual(pods.slice(0, 2));
    expect(tally.active).toEqual([pods[2]]);
    expect([succeededOf(tally), failedOf(tally)]).toEqual([2, 1]);
  });

  it('is counted once the finalizer or the pod is removed (CLUS-T2)', () => {
    const before = job({
      succeeded: 1,
      uncountedTerminatedPods: { succeeded: ['uid-a', 'uid-b'], failed: ['uid-gone'] },
    });
    const pods = [free('a', { phase: 'Succeeded' }), held('b', { phase: 'Succeeded' })];
    const tally = tallyPods(before, pods, false);
    expect(tally).toMatchObject({
      countedSucceeded: 2,
      countedFailed: 1,
      uncountedSucceeded: ['uid-b'],
      uncountedFailed: [],
    });
    expect(tally.settled).toEqual([pods[1]]);
  });

  it('counts once in every state between finalizer and counter (CLUS-T3)', () => {
    const states: [JobStatus, Pod[]][] = [
      [{}, [held('a', { phase: 'Succeeded' })]],
      [{ uncountedTerminatedPods: { succeeded: ['uid-a'] } }, [held('a', { phase: 'Succeeded' })]],
      [{ uncountedTerminatedPods: { succeeded: ['uid-a'] } }, [free('a', { phase: 'Succeeded' })]],
      [{ succeeded: 1 }, [free('a', { phase: 'Succeeded' })]],
      [{ succeeded: 1 }, []],
    ];
    for (const [status, pods] of states) {
      expect(succeededOf(tallyPods(job(status), pods, false))).toBe(1);
    }
  });

  it('counts as a failure when the pod is deleted, with podReplacementPolicy Failed only at its end', () => {
    const pods = [held('a', { terminating: true })];
    expect(failedOf(tallyPods(job(), pods, false))).toBe(1);
    const patient = job({}, { podReplacementPolicy: 'Failed' });
    expect(failedOf(tallyPods(patient, pods, false))).toBe(0);
    expect(failedOf(tallyPods(patient, pods, true))).toBe(1);
  });
});
