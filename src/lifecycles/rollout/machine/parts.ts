/** Reads the parts of objects that decisions use, with the defaults of Kubernetes. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

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

/** null: the status has none. */
export function lastRollout({ status }: DeploymentLifecycle): RolloutStatus | null {
  return status?.rollout ?? null;
}

export function lastReleased({ status }: DeploymentLifecycle): ReleasedTemplate | null {
  return status?.released ?? null;
}
