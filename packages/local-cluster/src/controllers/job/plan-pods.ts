/**
 * Decides which pods a job creates or deletes now. Pure.
 *
 * A reconcile either deletes or creates pods. Example with 5 completions and parallelism 2: after 4 successes one pod
 * is wanted. After 3 successes two are wanted, so with 1 active pod one is created.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { PodPlan } from '../workload/pod-requests.ts';
import { rankForDeletion } from '../workload/rank-pods.ts';
import { BURST } from '../workload/slow-start.ts';
import { succeededOf, type Tally } from './tally.ts';
import { hasEnded } from '../../../../../src/kube/pod-state.ts';

const EVEN: PodPlan = { kind: 'even' };

export function planPods(job: Job, tally: Tally, nowMs: number): PodPlan {
  const { active } = tally;
  const wanted = wantedActive(job, tally);
  const tooMany = Math.min(active.length - wanted, BURST);
  if (tooMany > 0)
    return { kind: 'delete', pods: rankForDeletion(active, nowMs).slice(0, tooMany) };
  const missing = Math.min(wanted - active.length - replacedLater(job, tally).length, BURST);
  return missing <= 0 ? EVEN : { kind: 'create', count: missing };
}

function wantedActive(job: Job, tally: Tally): number {
  const { suspend, completions, parallelism = 1 } = job.spec ?? {};
  if (suspend === true) return 0;
  const succeeded = succeededOf(tally);
  // After the first success no more pods are created, and running pods may finish.
  if (completions === undefined) return succeeded > 0 ? tally.active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Terminating pods whose replacement must wait until they have ended. */
function replacedLater({ spec }: Job, { terminating }: Tally): readonly Pod[] {
  return spec?.podReplacementPolicy === 'Failed' ? terminating : [];
}

/**
 * First and longest wait before a failed pod is replaced. The wait is computed from the pods alone, so a restart of the
 * controller changes nothing.
 *
 * The wait starts at the end of the last failed pod: 10 s after one failure, then 20 s, 40 s and so on, at most 10
 * minutes. A pod that succeeds resets it.
 */
const FIRST_MS = 10_000;
const MOST_MS = 600_000;

interface Postponed {
  readonly plan: PodPlan;
  /** Milliseconds until the pods may be created; null if they may be created now. */
  readonly waitMs: number | null;
}

/** Delays the replacement of pods until the back-off has passed. */
export function postpone(plan: PodPlan, pods: readonly Pod[], nowMs: number): Postponed {
  const waitMs = plan.kind === 'create' ? backoffLeftMs(pods, nowMs) : 0;
  return waitMs === 0 ? { plan, waitMs: null } : { plan: { kind: 'even' }, waitMs };
}

/** Milliseconds until a failed pod may be replaced; 0: at once. */
export function backoffLeftMs(pods: readonly Pod[], nowMs: number): number {
  const ended = pods
    .filter(hasEnded)
    .map((pod) => ({ failed: pod.status?.phase === 'Failed', atMs: endedAtMs(pod, nowMs) }))
    .toSorted((a, b) => a.atMs - b.atMs);
  const row = ended.slice(ended.findLastIndex(({ failed }) => !failed) + 1);
  const last = row.at(-1);
  if (last === undefined) return 0;
  const pauseMs = Math.min(MOST_MS, FIRST_MS * 2 ** (row.length - 1));
  return Math.max(0, last.atMs + pauseMs - nowMs);
}

/**
 * Time at which the pod's last container ended, in milliseconds. For a pod that never ran: the last change of its
 * conditions.
 */
function endedAtMs({ status, metadata }: Pod, nowMs: number): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  const changes = (status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  const reported = times.some((time) => time !== undefined) ? times : changes;
  const known = [...reported, metadata?.creationTimestamp]
    .map((time) => Date.parse(time ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? nowMs : Math.max(...known);
}
