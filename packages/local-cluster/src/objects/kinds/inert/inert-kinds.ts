/**
 * Kinds that are stored so that manifests apply unchanged, although no controller of the local cluster acts on them.
 */
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';
import { horizontalPodAutoscalerV1, horizontalPodAutoscalerV2 } from './autoscaling.ts';
import { ingress, ingressClass, networkPolicy } from './networking.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { pathSegment } from '../../metadata-names.ts';
import {
  AGE,
  CREATED_AT,
  integer,
  integerField,
  NAME,
  text,
  textField,
  wide,
  yesNo,
} from '../columns.ts';
import {
  at,
  fieldsAt,
  fill,
  isTrue,
  objectsAt,
  textAt,
  textMapAt,
} from '../../../../../../src/kube/fields.ts';

/** The kind PodDisruptionBudget, and below it quotas, limit ranges and priority classes: stored only. */
const podDisruptionBudget: KindSpec = {
  ...inNamespace('policy/v1', 'PodDisruptionBudget', 'pdb'),
  status: true,
  // As on a real server, any path segment is a valid name, and a finalizer needs no domain.
  nameRule: pathSegment,
  plainFinalizers: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Min Available', (object) => amount(object, 'minAvailable')),
    text('Max Unavailable', (object) => amount(object, 'maxUnavailable')),
    integerField('Allowed Disruptions', 'status', 'disruptionsAllowed'),
    AGE,
  ],
};

const resourceQuota: KindSpec = {
  ...inNamespace('v1', 'ResourceQuota', 'quota'),
  status: true,
  columns: [
    NAME,
    text('Request', (object) => usage(object, (name) => !name.startsWith('limits.'))),
    text('Limit', (object) => usage(object, (name) => name.startsWith('limits.'))),
    AGE,
  ],
};

const limitRange: KindSpec = {
  ...inNamespace('v1', 'LimitRange', 'limits'),
  columns: [NAME, CREATED_AT],
};

const priorityClass: KindSpec = {
  ...inCluster('scheduling.k8s.io/v1', 'PriorityClass', 'pc'),
  generationOf: [],
  columns: [
    NAME,
    integer('Value', (object) => Number(at(object, 'value') ?? 0)),
    yesNo('Global-Default', (object) => isTrue(object, 'globalDefault')),
    AGE,
    textField('PreemptionPolicy', 'preemptionPolicy'),
  ],
  defaults: [['preemptionPolicy', 'PreemptLowerPriority']],
};

function amount(object: JsonObject, field: string): string {
  const found = at(object, 'spec', field);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : 'N/A';
}

/** Text with used and allowed amounts, such as "requests.cpu: 0/2, pods: 1/10". */
function usage(object: JsonObject, wanted: (name: string) => boolean): string {
  const used = textMapAt(object, 'status', 'used');
  return Object.entries(textMapAt(fieldsAt(object, 'status', 'hard')))
    .filter(([name]) => wanted(name))
    .map(([name, hard]) => `${name}: ${used[name] ?? '0'}/${hard}`)
    .toSorted()
    .join(', ');
}

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
