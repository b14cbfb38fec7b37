/** What workload controllers want to know of a pod. Pure. */
import type { Pod, PodCondition } from 'kubernetes-types/core/v1.js';

import { isGoing } from '../../../../../src/controller/finalizers.ts';

/** It may still do work: not ended, and nobody has deleted it. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && !isGoing(pod);
}

export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Deleted, and perhaps still running. */
export function isTerminating(pod: Pod): boolean {
  return !hasEnded(pod) && isGoing(pod);
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

export function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

/** When it became ready, in wall-clock milliseconds; null: it is not, or does not say. */
export function readySinceMs(pod: Pod): number | null {
  if (!isReady(pod)) return null;
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? null : since;
}

/**
 * Milliseconds until the pod has been ready for long enough: 0 is now, null is not by itself.
 * Times have whole seconds, so "long enough" is longer: ready since 10:00:00 with 5 s counts from
 * 10:00:05.001 on.
 */
export function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number | null {
  if (!isReady(pod)) return null;
  if (minReadySeconds === 0) return 0;
  const since = readySinceMs(pod);
  if (since === null) return null;
  return Math.max(0, since + minReadySeconds * 1_000 + 1 - nowMs);
}

export function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
