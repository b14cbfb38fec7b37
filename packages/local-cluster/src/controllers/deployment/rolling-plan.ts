/**
 * Computes the sizes of ReplicaSets in a rolling update. Pure.
 *
 * Example: 10 replicas, maxSurge 3 and maxUnavailable 2, so at most 13 pods and at least 8 available. The new
 * ReplicaSet starts with 13 - 10 = 3 pods. The old one shrinks by 13 - 8 - 3 (new, not yet available) = 2 at once. With
 * 3 new pods available, 11 are available, so 3 more old pods may be deleted.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { byCreation, counted, sizeOf, totalSize } from './replica-sets.ts';

export interface Resize {
  readonly set: ReplicaSet;
  readonly size: number;
}

/** The size that the current set may have now, given the pods of `others`. */
export function currentSetSize(
  deployment: Deployment,
  others: readonly ReplicaSet[],
  size: number,
): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment)) return replicas;
  const free = replicas + limitsOf(deployment).maxSurge - totalSize(others) - size;
  if (free <= 0) return size;
  return size + Math.min(free, replicas - size);
}

/** The new sizes of the old ReplicaSets; empty if none may change now. */
export function planOldSets(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): readonly Resize[] {
  const minAvailable = replicasOf(deployment) - limitsOf(deployment).maxUnavailable;
  const notYet = sizeOf(current) - counted([current], 'availableReplicas');
  const removable = totalSize([...old, current]) - minAvailable - notYet;
  if (totalSize(old) === 0 || removable <= 0) return [];
  const unhealthy = scaleDown(old.toSorted(byCreation), removable, notAvailable);
  const cleaned = old.map((set) => unhealthy.find((resize) => resize.set === set) ?? asIs(set));
  const surplus = counted([...old, current], 'availableReplicas') - minAvailable;
  return resized(cleaned, surplus);
}

/** Number of pods that are not available. They are deleted first, from every ReplicaSet. */
function notAvailable(set: ReplicaSet): number {
  return Math.max(0, sizeOf(set) - counted([set], 'availableReplicas'));
}

function scaleDown(
  sets: readonly ReplicaSet[],
  most: number,
  possible: (set: ReplicaSet) => number,
): readonly Resize[] {
  let left = most;
  return sets.map((set) => {
    const down = Math.min(left, possible(set));
    left -= down;
    return { set, size: sizeOf(set) - down };
  });
}

/** Shrinks the old ReplicaSets, the oldest first, by `surplus`: the number of available pods above the minimum. */
function resized(cleaned: readonly Resize[], surplus: number): readonly Resize[] {
  let left = Math.max(0, surplus);
  return cleaned
    .toSorted((a, b) => byCreation(a.set, b.set))
    .map(({ set, size }) => {
      const down = Math.min(left, size);
      left -= down;
      return { set, size: size - down };
    })
    .filter(({ set, size }) => size !== sizeOf(set));
}

function asIs(set: ReplicaSet): Resize {
  return { set, size: sizeOf(set) };
}

/**
 * Limits of a rolling update: pods above the replicas, and replicas that may be unavailable.
 *
 * Example: with 10 replicas, 25% surge is 3 (rounded up) and 25% unavailable is 2 (rounded down). So there are at most
 * 13 pods, and at least 8 available. If both limits round to 0 ("1%" of 3), one pod may be unavailable, so that the
 * rollout can proceed.
 */
interface RolloutLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

type Amount = number | string | undefined;

export function replicasOf({ spec }: Deployment): number {
  return spec?.replicas ?? 1;
}

export function isRolling({ spec }: Deployment): boolean {
  return spec?.strategy?.type !== 'Recreate';
}

export function limitsOf(deployment: Deployment): RolloutLimits {
  if (!isRolling(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const replicas = replicasOf(deployment);
  const { maxSurge, maxUnavailable } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const limits = resolveLimits(replicas, { maxSurge, maxUnavailable });
  return { ...limits, maxUnavailable: Math.min(limits.maxUnavailable, replicas) };
}

function resolveLimits(
  replicas: number,
  asked: { readonly maxSurge: Amount; readonly maxUnavailable: Amount },
): RolloutLimits {
  const maxSurge = amountOf(asked.maxSurge, replicas, Math.ceil);
  const maxUnavailable = amountOf(asked.maxUnavailable, replicas, Math.floor);
  if (maxSurge === 0 && maxUnavailable === 0) return { maxSurge: 0, maxUnavailable: 1 };
  return { maxSurge, maxUnavailable };
}

function amountOf(amount: Amount, replicas: number, round: (exact: number) => number): number {
  if (amount === undefined) return 0;
  if (typeof amount === 'number') return amount;
  // Multiplies first: 29% of 100 must be 29, but 0.29 times 100 is less than 29 in floating point.
  return round((Number.parseInt(amount, 10) * replicas) / 100);
}
