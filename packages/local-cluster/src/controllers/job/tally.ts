/**
 * What a job's pods come to. Pure.
 *
 * A pod counts once, though it is deleted some day: it has a finalizer until its end is in the status.
 *
 *  CLUS-T1 A pod's end goes into `uncountedTerminatedPods` by uid, and that is written, before its finalizer goes.
 *  CLUS-T2 A uid goes from there into the counters when the finalizer is seen gone, or the pod.
 *  CLUS-T3 So at any moment an end is in exactly one of: finalizer and nothing else, uid, counter.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isGoing } from '../../../../../src/controller/finalizers.ts';
import { identityOf, isActive, isReady, isTerminating } from '../workload/parts.ts';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
/** Uids that wait in the status at a time. */
const UNCOUNTED_MAX = 500;

export interface Tally {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: readonly Pod[];
  /** In the counters. */
  readonly countedSucceeded: number;
  readonly countedFailed: number;
  /** By uid. */
  readonly uncountedSucceeded: readonly string[];
  readonly uncountedFailed: readonly string[];
  /** Whose finalizer goes once the status is written. */
  readonly settled: readonly Pod[];
}

/** All of them, wherever they are counted. */
export function succeededOf(tally: Tally): number {
  return tally.countedSucceeded + tally.uncountedSucceeded.length;
}

export function failedOf(tally: Tally): number {
  return tally.countedFailed + tally.uncountedFailed.length;
}

/** `failing`: the job is over, and what still runs counts as failed. */
export function tallyPods(job: Job, pods: readonly Pod[], failing: boolean): Tally {
  const held = pods.filter(isHeld);
  const waiting = new Set(held.map((pod) => identityOf(pod).uid));
  const before = toldEnds(job);
  const ends: Ends = {
    succeeded: before.succeeded.filter((uid) => waiting.has(uid)),
    failed: before.failed.filter((uid) => waiting.has(uid)),
  };
  const countedSucceeded =
    before.countedSucceeded + before.succeeded.length - ends.succeeded.length;
  const countedFailed = before.countedFailed + before.failed.length - ends.failed.length;
  const settled = held.filter((pod) => settle(job, ends, { pod, failing }));
  const active = pods.filter(isActive);
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating),
    countedSucceeded,
    countedFailed,
    uncountedSucceeded: ends.succeeded,
    uncountedFailed: ends.failed,
    settled,
  };
}

/** Uids of pods that have ended and are not in the counters. */
interface Ends {
  readonly succeeded: string[];
  readonly failed: string[];
}

function toldEnds({ status = {} }: Job): Ends & {
  readonly countedSucceeded: number;
  readonly countedFailed: number;
} {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return {
    succeeded,
    failed,
    countedSucceeded: status.succeeded ?? 0,
    countedFailed: status.failed ?? 0,
  };
}

/** Puts the pod's end where it belongs; tells whether its mark may go. */
function settle(
  job: Job,
  ends: Ends,
  { pod, failing }: { readonly pod: Pod; readonly failing: boolean },
): boolean {
  const { uid } = identityOf(pod);
  if (ends.succeeded.includes(uid) || ends.failed.includes(uid)) return true;
  if (ends.succeeded.length + ends.failed.length >= UNCOUNTED_MAX) return false;
  const end = endOf(job, pod, failing);
  if (end !== 'open') ends[end].push(uid);
  return end !== 'open';
}

export function isHeld({ metadata }: Pod): boolean {
  return metadata?.finalizers?.includes(TRACKING) === true;
}

function endOf(job: Job, pod: Pod, failing: boolean): 'open' | 'succeeded' | 'failed' {
  const phase = pod.status?.phase;
  if (phase === 'Succeeded') return 'succeeded';
  if (phase === 'Failed') return 'failed';
  // A deleted pod may never come to say Failed; who wants it to be certain asks for the policy Failed.
  const replaced = isGoing(pod) && job.spec?.podReplacementPolicy !== 'Failed';
  return replaced || (failing && isGoing(pod)) ? 'failed' : 'open';
}
