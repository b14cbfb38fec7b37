/**
 * The owner of hook pods: first the Deployment, and then the ReplicaSet of their rollout once it exists (ROLL-DH19). It
 * is never a controller reference, because a ReplicaSet would count the pods as replicas (ROLL-E24). There is only one
 * owner at a time, because a dependent is deleted only after all of its owners.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { apiVersionOf, type JsonObject, type OwnerReference } from '../../../kube/object.ts';
import { deployments, replicaSets } from '../../../kube/resources.ts';

export interface Owners {
  readonly deployment: Deployment;
  /** The ReplicaSet of the rollout's template; null: it does not exist yet. */
  readonly replicaSet: ReplicaSet | null;
}

export function ownerOf({ deployment, replicaSet }: Owners): OwnerReference {
  const resource = replicaSet === null ? deployments : replicaSets;
  const { name = '', uid = '' } = (replicaSet ?? deployment).metadata ?? {};
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    uid,
    controller: false,
    blockOwnerDeletion: false,
  };
}

/**
 * A merge patch that replaces the Deployment by the ReplicaSet as owner; null: the ReplicaSet already is the owner, or
 * does not exist.
 */
export function ownerPatch(pod: Pod, replicaSet: ReplicaSet): JsonObject | null {
  const { uid = null, resourceVersion = null, ownerReferences = [] } = pod.metadata ?? {};
  const owner = ownerOf({ deployment: {}, replicaSet });
  if (ownerReferences.some((each) => each.uid === owner.uid)) return null;
  const others = ownerReferences.filter(({ kind }) => kind !== deployments.kind);
  const owners = [...others, owner].map((each): JsonObject => ({ ...each }));
  return { metadata: { uid, resourceVersion, ownerReferences: owners } };
}
