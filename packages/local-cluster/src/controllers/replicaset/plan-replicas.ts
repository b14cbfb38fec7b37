/** How many pods are missing, or which are too many. Pure. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { rankForDeletion } from '../workload/rank-pods.ts';
import { BURST } from '../workload/slow-start.ts';

export type ReplicaPlan =
  | { readonly kind: 'even' }
  | { readonly kind: 'create'; readonly count: number }
  | { readonly kind: 'delete'; readonly pods: readonly Pod[] };

/** `active` are the set's own pods, without those that have ended or are going. */
export function planReplicas(
  { spec }: ReplicaSet,
  active: readonly Pod[],
  nowMs: number,
): ReplicaPlan {
  const wanted = spec?.replicas ?? 1;
  const missing = wanted - active.length;
  if (missing > 0) return { kind: 'create', count: Math.min(missing, BURST) };
  if (missing === 0) return { kind: 'even' };
  const tooMany = Math.min(-missing, BURST);
  // Where all go there is nothing to choose.
  const ranked = tooMany === active.length ? active : rankForDeletion(active, nowMs);
  return { kind: 'delete', pods: ranked.slice(0, tooMany) };
}
