/**
 * Counts the succeeded and failed pods of a job. Pure.
 *
 * A pod counts once, even if it is deleted: its finalizer stays until its result is in the status.
 *
 *  CLUS-T1 The uid of an ended pod is written to `uncountedTerminatedPods` before its finalizer is removed.
 *  CLUS-T2 A uid moves from there to the counters once the finalizer, or the pod, is seen removed.
 *  CLUS-T3 So each result is in exactly one place: only the finalizer, the list of uids, or a counter.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { identityOf, isActive, isTerminatingPod } from '../workload/parts.ts';
import { isReady } from '../../../../../src/kube/pod-state.ts';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
/** Maximum number of uids in `uncountedTerminatedPods`. */
const UNCOUNTED_MAX = 500;

export interface Tally {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: readonly Pod[];
  /** Succeeded pods that are already in the counters of the status. */
  readonly countedSucceeded: number;
  readonly countedFailed: number;
  /** Uids of succeeded pods that are not in the counters yet. */
  readonly uncountedSucceeded: readonly string[];
  readonly uncountedFailed: readonly string[];
  /** Pods whose finalizer is removed after the status is written. */
  readonly settled: readonly Pod[];
}

/** Number of all succeeded pods: those in the counters, and those in the list of uids. */
export function succeededOf(tally: Tally): number {
  return tally.countedSucceeded + tally.uncountedSucceeded.length;
}

export function failedOf(tally: Tally): number {
  return tally.countedFailed + tally.uncountedFailed.length;
}

/** Counts the pods of a job. `failing`: true if the job has failed; then a terminating pod counts as failed at once. */
export function tallyPods(job: Job, pods: readonly Pod[], failing: boolean): Tally {
  const held = pods.filter(isHeld);
  const waiting = new Set(held.map((pod) => identityOf(pod).uid));
  const before = reportedEnds(job);
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
    terminating: pods.filter(isTerminatingPod),
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

function reportedEnds({ status = {} }: Job): Ends & {
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

/** Records the result of a pod. Returns true if its finalizer may be removed. */
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
  // A terminating pod counts as failed at once, because it may never reach a final phase. With the policy Failed the
  // job waits for that phase.
  const replaced = isTerminating(pod) && job.spec?.podReplacementPolicy !== 'Failed';
  return replaced || (failing && isTerminating(pod)) ? 'failed' : 'open';
}
