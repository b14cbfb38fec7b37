/**
 * Jobs whose indexes fail one by one (`backoffLimitPerIndex`): how often an index has failed, and which are
 * given up. Pure. Each pod carries how often its index had failed before it, so that pods that are deleted
 * in between are not forgotten.
 *
 * With backoffLimitPerIndex 1 the first pod of an index has 0 and fails, the second has 1 and fails: the
 * index has used up its one retry and is given up.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { annotationsOf } from '../workload/parts.ts';
import { judgeFailure } from './failure-policy.ts';
import { indexOfPod } from './indexes.ts';

export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';

export function hasLimitPerIndex({ spec }: Job): boolean {
  return spec?.backoffLimitPerIndex !== undefined;
}

export function podsOfIndex(job: Job, pods: readonly Pod[], index: number): readonly Pod[] {
  return pods.filter((pod) => indexOfPod(pod, job.spec?.completions ?? 0) === index);
}

/** Of the index, so far; what the policy ignores does not count. */
export function failuresOfIndex(job: Job, pods: readonly Pod[], index: number): number {
  const counts = podsOfIndex(job, pods, index).map((pod) => {
    const counted = hasFailed(pod) && judgeFailure(job, pod).kind !== 'ignore';
    return failuresBefore(pod) + (counted ? 1 : 0);
  });
  return Math.max(0, ...counts);
}

/** Whether this pod's failure was the last that its index could have. */
export function givesUpIndex(job: Job, pod: Pod): boolean {
  const { backoffLimitPerIndex } = job.spec ?? {};
  if (backoffLimitPerIndex === undefined || !hasFailed(pod)) return false;
  const { kind } = judgeFailure(job, pod);
  if (kind === 'failIndex') return true;
  return kind !== 'ignore' && failuresBefore(pod) >= backoffLimitPerIndex;
}

function failuresBefore(pod: Pod): number {
  const text = annotationsOf(pod)[FAILURES] ?? '0';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function hasFailed({ status }: Pod): boolean {
  return status?.phase === 'Failed';
}
