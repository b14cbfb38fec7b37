/** Which old sets are kept for going back to, and which are not worth their place any more. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { isGoing } from '../../../../../src/controller/finalizers.ts';
import { byCreation, sizeOf } from './replica-sets.ts';
import { revisionOf } from './revisions.ts';

/** What users write who want all of them. */
const NO_LIMIT = 2_147_483_647;

/**
 * Of the sets above the limit, lowest revision first, those that have no pods and whose status is of
 * their present spec. With a limit of 2 and revisions 1 to 5 old, 1 to 3 go, but 2 stays while it has pods.
 */
export function setsToDelete(
  { spec }: Deployment,
  old: readonly ReplicaSet[],
): readonly ReplicaSet[] {
  const { revisionHistoryLimit = NO_LIMIT } = spec ?? {};
  if (revisionHistoryLimit === NO_LIMIT) return [];
  const alive = old.filter((set) => !isGoing(set));
  return alive
    .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b))
    .slice(0, Math.max(0, alive.length - revisionHistoryLimit))
    .filter(isAtRest);
}

function isAtRest(set: ReplicaSet): boolean {
  const { generation = 0 } = set.metadata ?? {};
  const { replicas, observedGeneration = 0 } = set.status ?? { replicas: 0 };
  return replicas === 0 && sizeOf(set) === 0 && observedGeneration >= generation;
}
