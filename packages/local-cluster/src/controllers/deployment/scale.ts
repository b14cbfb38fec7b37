/** Scales a deployment that is paused or whose replicas have changed. It changes sizes, and creates no ReplicaSet. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { replicaSets } from '../../../../../src/kube/resources.ts';
import { isRolling, replicasOf, limitsOf } from './rolling-plan.ts';
import { type DeploymentPass, recordEvent } from './pass.ts';
import {
  activeOrLatest,
  allOf,
  DESIRED_ANNOTATION,
  isActiveSet,
  isSaturated,
  type ReplicaSets,
  byCreation,
  MAX_ANNOTATION,
  sizeOf,
  totalSize,
} from './replica-sets.ts';
import { sizeAnnotations } from './revisions.ts';

/** True if the size of a ReplicaSet with pods was computed for another number of replicas. */
export function isScaled({ deployment }: DeploymentPass, sets: ReplicaSets): boolean {
  return allOf(sets)
    .filter(isActiveSet)
    .some(({ metadata }) => {
      const desired = metadata?.annotations?.[DESIRED_ANNOTATION];
      return desired !== undefined && Number(desired) !== replicasOf(deployment);
    });
}

export async function scale(pass: DeploymentPass, sets: ReplicaSets): Promise<void> {
  const { deployment } = pass;
  const only = activeOrLatest(sets);
  if (only !== null) {
    await resizeSet(pass, only, replicasOf(deployment));
    return;
  }
  if (isSaturated(sets.current, replicasOf(deployment))) {
    for (const set of sets.old.filter(isActiveSet)) await resizeSet(pass, set, 0);
    return;
  }
  if (!isRolling(deployment)) return;
  for (const { set, size } of sharesOf(deployment, allOf(sets).filter(isActiveSet))) {
    await writeSize(pass, set, size);
  }
}

/**
 * New size of one ReplicaSet when a deployment is scaled during a rollout. Each ReplicaSet with pods gets a share, so
 * that the ratio of old to new pods stays.
 *
 * Example: a deployment of 10 with maxSurge 3 has 5 old and 8 new pods (max-replicas 13 on both). It is scaled to 15,
 * so 18 pods are allowed, 5 more than now. The larger ReplicaSet is first: 8 * 18 / 13 = 11.08, so it gets 3 more. The
 * other: 5 * 18 / 13 = 6.92, so it gets 2 more. The result is 11 and 7. The remainder of rounding goes to the first.
 */
interface Share {
  readonly set: ReplicaSet;
  readonly size: number;
}

/** Shares of all ReplicaSets that have pods, in the order in which they are written. */
export function sharesOf(deployment: Deployment, active: readonly ReplicaSet[]): readonly Share[] {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + limitsOf(deployment).maxSurge : 0;
  const toAdd = allowed - totalSize(active);
  // Among ReplicaSets of equal size the newest is first when the deployment grows, and the oldest when it shrinks.
  const sorted = active.toSorted(
    (a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const shares = sorted.map((set) => {
    const share = proportion({ deployment, set, toAdd, added });
    added += share;
    return { set, size: sizeOf(set) + share };
  });
  const leftover = toAdd - added;
  return shares.map(({ set, size }, index) => ({
    set,
    size: index === 0 ? Math.max(0, size + leftover) : size,
  }));
}

interface Sharing {
  readonly deployment: Deployment;
  readonly set: ReplicaSet;
  readonly toAdd: number;
  readonly added: number;
}

/** Number of pods to add to one ReplicaSet; negative: to remove. Never more than `toAdd` still allows. */
function proportion({ deployment, set, toAdd, added }: Sharing): number {
  if (sizeOf(set) === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(deployment, set);
  const left = toAdd - added;
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const size = sizeOf(set);
  const replicas = replicasOf(deployment);
  if (replicas === 0) return -size;
  const annotated = Number(set.metadata?.annotations?.[MAX_ANNOTATION] ?? 0);
  // Without the annotation, the current number of pods of the deployment is used as its maximum.
  const before = annotated > 0 ? annotated : (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const now = replicas + limitsOf(deployment).maxSurge;
  return Math.round((size * now) / before) - size;
}

/** Resizes a ReplicaSet. Resolves to false, and writes nothing, if it already has the size. */
export async function resizeSet(
  pass: DeploymentPass,
  set: ReplicaSet,
  size: number,
): Promise<boolean> {
  if (sizeOf(set) === size) return false;
  await writeSize(pass, set, size);
  return true;
}

/** Writes the size and the size annotations, unless both are already right. */
async function writeSize(pass: DeploymentPass, set: ReplicaSet, size: number): Promise<void> {
  const before = sizeOf(set);
  const wanted = sizeAnnotations(pass.deployment);
  const annotations = set.metadata?.annotations ?? {};
  const reported = Object.entries(wanted).every(([name, value]) => annotations[name] === value);
  if (before === size && reported) return;
  await pass.client.replace(replicaSets, {
    ...set,
    metadata: { ...set.metadata, annotations: { ...annotations, ...wanted } },
    spec: { selector: {}, ...set.spec, replicas: size },
  });
  if (before === size) return;
  const direction = size > before ? 'up' : 'down';
  const name = set.metadata?.name ?? '';
  recordEvent(pass, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${name} from ${before} to ${size}`,
  });
}
