/**
 * Whose dependents hook pods are: the Deployment's, and once it is there the ReplicaSet's of their rollout
 * (ROLL-DH19). Never as their controller: a ReplicaSet would take them for replicas (ROLL-E24). One at a time, since
 * a dependent goes only when all of its owners are gone.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { apiVersionOf, type JsonObject, type OwnerReference } from '../../../kube/object.ts';
import { deployments, replicaSets } from '../../../kube/resources.ts';

export interface Owners {
  readonly deployment: Deployment;
  /** Of the rollout's template, once there is one. */
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

/** A merge patch that puts the ReplicaSet in the Deployment's place; null: it is there already. */
export function ownerPatch(pod: Pod, replicaSet: ReplicaSet): JsonObject | null {
  const { uid = null, resourceVersion = null, ownerReferences = [] } = pod.metadata ?? {};
  const owner = ownerOf({ deployment: {}, replicaSet });
  if (ownerReferences.some((each) => each.uid === owner.uid)) return null;
  const others = ownerReferences.filter(({ kind }) => kind !== deployments.kind);
  const owners = [...others, owner].map((each): JsonObject => ({ ...each }));
  return { metadata: { uid, resourceVersion, ownerReferences: owners } };
}
