/**
 * Reads the parts of objects that decisions need, with the defaults of Kubernetes, and the progress of the Deployment
 * controller. Pure.
 */
import type { Deployment, ReplicaSet, DeploymentCondition } from 'kubernetes-types/apps/v1.js';
import type { KubeObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle, ReleasedTemplate, RolloutStatus } from '../kinds.ts';

export function replicasOf({ spec }: Deployment | ReplicaSet): number {
  return spec?.replicas ?? 1;
}

export function availableOf({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}

export function isPaused({ spec }: Deployment): boolean {
  return spec?.paused === true;
}

export function uidOf({ metadata }: KubeObject): string {
  return metadata?.uid ?? '';
}

export function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

export function isPausedAtRest({ spec }: DeploymentLifecycle): boolean {
  return spec.gate === 'PausedAtRest';
}

/** The newest rollout in the status. null: the status has no rollout. */
export function lastRollout({ status }: DeploymentLifecycle): RolloutStatus | null {
  return status?.rollout ?? null;
}

export function lastReleased({ status }: DeploymentLifecycle): ReleasedTemplate | null {
  return status?.released ?? null;
}

const EXCEEDED = 'ProgressDeadlineExceeded';

export function isObserved({ metadata, status }: Deployment | ReplicaSet): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
}

/** True: all pods are of the newest template and available, and the Deployment has no other pods. */
export function isComplete(deployment: Deployment): boolean {
  const { replicas: wanted = 1 } = deployment.spec ?? {};
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = deployment.status ?? {};
  const counts = [updatedReplicas, replicas, availableReplicas];
  return isObserved(deployment) && counts.every((count) => count === wanted);
}

/** The condition with the reason ProgressDeadlineExceeded; null: none. */
export function exceededProgress({ status }: Deployment): DeploymentCondition | null {
  const found = status?.conditions?.find(
    ({ type, reason }) => type === 'Progressing' && reason === EXCEEDED,
  );
  return found ?? null;
}
