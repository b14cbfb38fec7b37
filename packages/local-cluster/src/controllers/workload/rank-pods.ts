/**
 * Orders surplus pods for deletion: those whose loss costs least come first. A rule applies only to pods that are equal
 * by all rules before it:
 *
 *  1. not on a node, before on one;
 *  2. Pending, before Unknown, before Running;
 *  3. not ready, before ready;
 *  4. the lower `controller.kubernetes.io/pod-deletion-cost`;
 *  5. ready for less time, by powers of two of nanoseconds: 4 minutes before 5 (2^38 ns are 275 s), but
 *     3 and 4 are equal, and then the uid decides;
 *  6. more restarts;
 *  7. younger, by powers of two as well.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { readySinceMs, restartsOf } from './parts.ts';
import { isReady } from '../../../../../src/kube/pod-state.ts';

const COST = 'controller.kubernetes.io/pod-deletion-cost';
/** Largest deletion cost of a pod. A cost that is no int32 counts as 0. */
const COST_MAX = 2_147_483_647;
const NANOSECONDS = 1_000_000;
const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The pods in the order of their deletion. */
export function rankForDeletion(pods: readonly Pod[], nowMs: number): readonly Pod[] {
  return pods.toSorted((a, b) => compare(a, b, nowMs));
}

function compare(a: Pod, b: Pod, nowMs: number): number {
  return (
    Number(isPlaced(a)) - Number(isPlaced(b)) ||
    phaseRank(a) - phaseRank(b) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    deletionCost(a) - deletionCost(b) ||
    compareAges(a, b, { nowMs, sinceMs: readySinceMs }) ||
    restartsOf(b) - restartsOf(a) ||
    compareAges(a, b, { nowMs, sinceMs: createdMs })
  );
}

function isPlaced({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}

function phaseRank({ status }: Pod): number {
  return PHASES[status?.phase ?? 'Pending'] ?? 0;
}

/** Deletion cost of a pod; 0 if the annotation is not an int32. */
export function deletionCost({ metadata }: Pod): number {
  const text = metadata?.annotations?.[COST] ?? '0';
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return 0;
  const cost = Number(text);
  return cost > COST_MAX || cost < -COST_MAX - 1 ? 0 : cost;
}

function createdMs({ metadata }: Pod): number | null {
  const created = Date.parse(metadata?.creationTimestamp ?? '');
  return Number.isNaN(created) ? null : created;
}

interface Ages {
  readonly nowMs: number;
  readonly sinceMs: (pod: Pod) => number | null;
}

function compareAges(a: Pod, b: Pod, { nowMs, sinceMs }: Ages): number {
  const [left, right] = [sinceMs(a), sinceMs(b)];
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return powerOfTwo(nowMs - left) - powerOfTwo(nowMs - right) || compareUids(a, b);
}

function powerOfTwo(ageMs: number): number {
  return ageMs <= 0 ? -1 : Math.floor(Math.log2(ageMs * NANOSECONDS));
}

function compareUids(a: Pod, b: Pod): number {
  const [left, right] = [a.metadata?.uid ?? '', b.metadata?.uid ?? ''];
  return left < right ? -1 : Number(left > right);
}
