/** The progress of the Deployment controller. Pure. */
import type { Deployment, DeploymentCondition, ReplicaSet } from 'kubernetes-types/apps/v1.js';

const EXCEEDED = 'ProgressDeadlineExceeded';

export function isObserved({ metadata, status }: Deployment | ReplicaSet): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
}

/** Whether all pods are of the newest template and available, and no other pod is counted. */
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
