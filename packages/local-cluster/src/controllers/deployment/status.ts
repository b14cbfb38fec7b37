/**
 * Computes the status of a deployment from its ReplicaSets. Pure; the condition `Progressing` is set in `progress.ts`.
 */
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
} from 'kubernetes-types/apps/v1.js';

import type { CurrentReplicaSetStatus } from '../replicaset/replica-set-controller.ts';
import { withoutZeros } from '../workload/parts.ts';
import { limitsOf, replicasOf } from './rolling-plan.ts';
import { allOf, counted, type ReplicaSets, totalSize } from './replica-sets.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';

/** The status with fields that the type library lacks. */
export interface CurrentDeploymentStatus extends DeploymentStatus {
  terminatingReplicas?: number;
}

export function deploymentStatus(
  deployment: Deployment,
  sets: ReplicaSets,
  nowMs: number,
): CurrentDeploymentStatus {
  const all = allOf(sets);
  const available = counted(all, 'availableReplicas');
  const { collisionCount } = deployment.status ?? {};
  return {
    ...withoutZeros({
      observedGeneration: deployment.metadata?.generation ?? 0,
      replicas: counted(all, 'replicas'),
      updatedReplicas: sets.current === null ? 0 : counted([sets.current], 'replicas'),
      readyReplicas: counted(all, 'readyReplicas'),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, totalSize(all) - available),
      terminatingReplicas: all.reduce((sum, { status }) => {
        const { terminatingReplicas = 0 }: CurrentReplicaSetStatus = status ?? { replicas: 0 };
        return sum + terminatingReplicas;
      }, 0),
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: [...withAvailability(deployment, available, nowMs)],
  };
}

/** Sets the condition Available. Example: with 3 replicas and maxUnavailable 1, two available pods are enough. */
function withAvailability(
  deployment: Deployment,
  available: number,
  nowMs: number,
): readonly DeploymentCondition[] {
  const enough = available >= replicasOf(deployment) - limitsOf(deployment).maxUnavailable;
  const before = deployment.status?.conditions ?? [];
  return setCondition(
    before,
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    nowMs,
  );
}

/** True if all pods have the current template, their number is the desired one, and all are available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = replicasOf(deployment);
  const {
    updatedReplicas = 0,
    replicas = 0,
    availableReplicas = 0,
    observedGeneration = 0,
  } = status;
  return (
    updatedReplicas === wanted &&
    replicas === wanted &&
    availableReplicas === wanted &&
    observedGeneration >= (deployment.metadata?.generation ?? 0)
  );
}

/**
 * Reasons of the condition `Progressing`.
 *
 * Besides lastTransitionTime, a condition of a Deployment has lastUpdateTime, the time of its last write. For
 * `Progressing` that is the last progress, from which the deadline counts.
 */
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

/** Sets a condition. It stays as it is if status and reason are equal, even with another message. */
export function setCondition(
  conditions: Conditions,
  next: NewDeploymentCondition,
  nowMs: number,
): Conditions {
  const before = findCondition(conditions, next.type);
  if (before?.status === next.status && before.reason === next.reason) return conditions;
  return renewCondition(conditions, next, nowMs);
}

/** Sets a condition and its update time, even if status and reason are equal, because there was progress. */
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
