/**
 * How long a job waits before it replaces a pod that has failed. Pure, and from the pods alone, so that a
 * restart of the controller forgets nothing.
 *
 * After the first failure in a row 10 s from its end, then 20 s, 40 s and so on, 10 minutes at most; a pod
 * that succeeds ends the row.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { hasLimitPerIndex, podsOfIndex } from './index-failures.ts';
import type { PodPlan } from './plan-pods.ts';

const FIRST_MS = 10_000;
const MOST_MS = 600_000;

export interface Postponed {
  readonly plan: PodPlan;
  /** Until the next of those that have to wait; null: none has. */
  readonly waitMs: number | null;
}

/** Of the pods that a job needs those that may be made now. With a limit for each index each waits for itself. */
export function postpone(plan: PodPlan, { job, pods, nowMs }: BackoffFacts): Postponed {
  if (plan.kind !== 'create') return { plan, waitMs: null };
  const together = hasLimitPerIndex(job) ? null : backoffLeftMs(pods, nowMs);
  const waits = plan.indexes.map((index) => ({
    index,
    ms: together ?? backoffLeftMs(podsOfIndex(job, pods, index ?? 0), nowMs),
  }));
  const due = waits.filter(({ ms }) => ms === 0).map(({ index }) => index);
  const later = waits.filter(({ ms }) => ms > 0).map(({ ms }) => ms);
  return {
    plan: due.length === 0 ? { kind: 'even' } : { kind: 'create', indexes: due },
    waitMs: later.length === 0 ? null : Math.min(...later),
  };
}

export interface BackoffFacts {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

/** 0: at once. */
export function backoffLeftMs(pods: readonly Pod[], nowMs: number): number {
  const ended = pods
    .filter(({ status }) => status?.phase === 'Succeeded' || status?.phase === 'Failed')
    .map((pod) => ({ failed: pod.status?.phase === 'Failed', atMs: endedAtMs(pod, nowMs) }))
    .toSorted((a, b) => a.atMs - b.atMs);
  const row = ended.slice(ended.findLastIndex(({ failed }) => !failed) + 1);
  const last = row.at(-1);
  if (last === undefined) return 0;
  const pauseMs = Math.min(MOST_MS, FIRST_MS * 2 ** (row.length - 1));
  return Math.max(0, last.atMs + pauseMs - nowMs);
}

/** When its last container ended; one that never ran ended when its state last changed. */
function endedAtMs({ status, metadata }: Pod, nowMs: number): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  const changes = (status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  const told = times.some((time) => time !== undefined) ? times : changes;
  const known = [...told, metadata?.creationTimestamp]
    .map((time) => Date.parse(time ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? nowMs : Math.max(...known);
}
