/**
 * Kinds that are stored so that manifests apply unchanged, although no controller of the local cluster acts on them.
 */
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';
import { horizontalPodAutoscalerV1, horizontalPodAutoscalerV2 } from './autoscaling.ts';
import { ingress, ingressClass, networkPolicy } from './networking.ts';
import { limitRange, podDisruptionBudget, priorityClass, resourceQuota } from './policy.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { pathSegment } from '../../metadata-names.ts';
import { AGE, CREATED_AT, NAME, text, wide } from '../columns.ts';
import { fill, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';

/** RBAC kinds: stored only, since every client with the cluster's token may do everything. */
const RBAC = 'rbac.authorization.k8s.io';

const bindingColumns = [
  NAME,
  text(
    'Role',
    (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
  ),
  AGE,
  wide(text('Users', (object) => subjects(object, 'User'))),
  wide(text('Groups', (object) => subjects(object, 'Group'))),
  wide(text('ServiceAccounts', accounts)),
] as const;

const role: KindSpec = {
  ...inNamespace(`${RBAC}/v1`, 'Role'),
  nameRule: pathSegment,
  columns: [NAME, CREATED_AT],
};

const clusterRole: KindSpec = {
  ...inCluster(`${RBAC}/v1`, 'ClusterRole'),
  nameRule: pathSegment,
  columns: [NAME, CREATED_AT],
};

const roleBinding: KindSpec = {
  ...inNamespace(`${RBAC}/v1`, 'RoleBinding'),
  nameRule: pathSegment,
  columns: bindingColumns,
  defaults: [['roleRef.apiGroup', RBAC]],
  fill: fillSubjects,
};

const clusterRoleBinding: KindSpec = {
  ...inCluster(`${RBAC}/v1`, 'ClusterRoleBinding'),
  nameRule: pathSegment,
  columns: bindingColumns,
  defaults: [['roleRef.apiGroup', RBAC]],
  fill: fillSubjects,
};

function fillSubjects(draft: JsonObject): void {
  for (const subject of objectsAt(draft, 'subjects')) {
    const ofGroup = ['User', 'Group'].includes(textAt(subject, 'kind'));
    if (ofGroup) fill(subject, 'apiGroup', RBAC);
  }
}

function subjects(object: JsonObject, kind: string): string {
  return objectsAt(object, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map((subject) => textAt(subject, 'name'))
    .join(', ');
}

function accounts(object: JsonObject): string {
  return objectsAt(object, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === 'ServiceAccount')
    .map((subject) => `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`)
    .join(', ');
}

const kinds: readonly KindSpec[] = [
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

export const inertKinds: readonly KindSpec[] = kinds.map((kind) => ({ ...kind, inert: true }));
