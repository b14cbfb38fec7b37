/** The ReplicaSets of a deployment: which is current, which are old, and their sizes. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { sameTemplate } from './template.ts';

/** The ReplicaSet of the current template, and all others. */
export interface ReplicaSets {
  /** Null if no ReplicaSet has the current template. */
  readonly current: ReplicaSet | null;
  readonly old: readonly ReplicaSet[];
}

/**
 * Separates the ReplicaSet of the current template from the old ones. If several have this template, the oldest is the
 * current one, so that all reconciles agree.
 */
export function sortOut(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSets {
  const template = deployment.spec?.template ?? {};
  const current = sets
    .toSorted(byCreation)
    .find(({ spec }) => sameTemplate(spec?.template ?? {}, template));
  const old = sets.filter((set) => set.metadata?.uid !== current?.metadata?.uid);
  return { current: current ?? null, old };
}

export function allOf({ current, old }: ReplicaSets): readonly ReplicaSet[] {
  return current === null ? old : [...old, current];
}

export function sizeOf({ spec }: ReplicaSet): number {
  return spec?.replicas ?? 1;
}

export function isActiveSet(set: ReplicaSet): boolean {
  return sizeOf(set) > 0;
}

/** Sum of the desired sizes, which are known before the pods exist. */
export function totalSize(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + sizeOf(set), 0);
}

type Counted = 'replicas' | 'readyReplicas' | 'availableReplicas';

/** Sum of the observed numbers in the status of the ReplicaSets. */
export function counted(sets: readonly ReplicaSet[], what: Counted): number {
  return sets.reduce((sum, { status }) => sum + (status?.[what] ?? 0), 0);
}

/**
 * The ReplicaSet that a change of replicas applies to; null if several have pods, or if there is none.
 *
 * It is the only one that has pods; if none has, the current one; without a current one, the newest. A paused
 * deployment is scaled too, so the pause is ignored.
 */
export function activeOrLatest({ current, old }: ReplicaSets): ReplicaSet | null {
  const active = allOf({ current, old }).filter(isActiveSet);
  if (active.length > 1) return null;
  return active[0] ?? current ?? old.toSorted(byCreation).at(-1) ?? null;
}

/** True if the current ReplicaSet has its full size in spec and annotation, and all its pods are available. */
export function isSaturated(current: ReplicaSet | null, replicas: number): boolean {
  if (current === null) return false;
  const desired = Number(current.metadata?.annotations?.[DESIRED_ANNOTATION] ?? Number.NaN);
  return (
    sizeOf(current) === replicas &&
    desired === replicas &&
    (current.status?.availableReplicas ?? 0) === replicas
  );
}

export const DESIRED_ANNOTATION = 'deployment.kubernetes.io/desired-replicas';
export const MAX_ANNOTATION = 'deployment.kubernetes.io/max-replicas';

/** Orders by creation time. Creation times are whole seconds, so the name decides between equal ones. */
export function byCreation(a: ReplicaSet, b: ReplicaSet): number {
  const [left, right] = [a, b].map(({ metadata }) => metadata?.creationTimestamp ?? '');
  if (left !== right) return (left ?? '') < (right ?? '') ? -1 : 1;
  return (a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1;
}
