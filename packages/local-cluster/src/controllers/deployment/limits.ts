/**
 * The most and the fewest pods that a rolling update allows. Pure.
 *
 * With 10 replicas, 25% surge are 3 (rounded up) and 25% unavailable are 2 (rounded down): at most 13, at
 * least 8. If both round to 0 ("1%" of 3), one pod may be unavailable, so that the rollout can proceed.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

export interface RolloutLimits {
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

export function resolveLimits(
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
  // Multiply first: 29% of 100 is 29, but 0.29 times 100 is less in floating point.
  return round((Number.parseInt(amount, 10) * replicas) / 100);
}
