/**
 * A deployment's conditions. Unlike others they have a second time: `lastUpdateTime` is when anything of
 * them was last told anew, and for `Progressing` that is the last progress, from which the deadline counts.
 */
import type { DeploymentCondition } from 'kubernetes-types/apps/v1.js';

import { timeText } from '../../../../../src/controller/kube-time.ts';

export type ProgressReason =
  | 'NewReplicaSetCreated'
  | 'FoundNewReplicaSet'
  | 'ReplicaSetUpdated'
  | 'NewReplicaSetAvailable'
  | 'ProgressDeadlineExceeded'
  | 'ReplicaSetCreateError'
  | 'DeploymentPaused'
  | 'DeploymentResumed';

export interface NewDeploymentCondition {
  readonly type: 'Progressing' | 'Available' | 'ReplicaFailure';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

type Conditions = readonly DeploymentCondition[];

export function findCondition(
  conditions: Conditions,
  type: NewDeploymentCondition['type'],
): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Says nothing new where status and reason are as they were, whatever the message. */
export function setCondition(
  conditions: Conditions,
  next: NewDeploymentCondition,
  nowMs: number,
): Conditions {
  const before = findCondition(conditions, next.type);
  if (before?.status === next.status && before.reason === next.reason) return conditions;
  return renewCondition(conditions, next, nowMs);
}

/** Told anew even with the same status and reason: there was progress. */
export function renewCondition(
  conditions: Conditions,
  next: NewDeploymentCondition,
  nowMs: number,
): Conditions {
  const now = timeText(nowMs);
  const before = findCondition(conditions, next.type);
  const since = before?.status === next.status ? before.lastTransitionTime : undefined;
  const condition = { ...next, lastUpdateTime: now, lastTransitionTime: since ?? now };
  return [...dropCondition(conditions, next.type), condition];
}

export function dropCondition(
  conditions: Conditions,
  type: NewDeploymentCondition['type'],
): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
