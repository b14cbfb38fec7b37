/** What is kept so that manifests apply as they are, though nothing in the local cluster acts on it. */
import type { KindSpec } from '../kind-spec.ts';
import { horizontalPodAutoscalerV1, horizontalPodAutoscalerV2 } from './autoscaling.ts';
import { ingress, ingressClass, networkPolicy } from './networking.ts';
import { limitRange, podDisruptionBudget, priorityClass, resourceQuota } from './policy.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';

export const inertKinds: readonly KindSpec[] = [
  role,
  roleBinding,
  clusterRole,
  clusterRoleBinding,
  ingress,
  ingressClass,
  networkPolicy,
  podDisruptionBudget,
  resourceQuota,
  limitRange,
  priorityClass,
  horizontalPodAutoscalerV1,
  horizontalPodAutoscalerV2,
];
