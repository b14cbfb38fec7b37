import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../controller/indexes.ts';
import { nameOf, replicasOf, uidOf } from './parts.ts';
import { isObserved } from './progress.ts';

/** Names of those whose controller may not have seen yet that there are to be no pods: it may still make some (ROLL-E6). Pure. */
export function makersBehind(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): readonly string[] {
  if (!isObserved(deployment)) return [`Deployment ${nameOf(deployment)}`];
  return sets
    .filter((set) => controllerOf(set)?.uid === uidOf(deployment))
    .filter((set) => replicasOf(set) > 0 || !isObserved(set))
    .map((set) => `ReplicaSet ${nameOf(set)}`);
}
