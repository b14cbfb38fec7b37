import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../controller/indexes.ts';
import { nameOf, replicasOf, uidOf } from './parts.ts';
import { isObserved } from './progress.ts';

/** Names of objects whose controller may not have observed the zero, and may still create pods (ROLL-E6). Pure. */
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
