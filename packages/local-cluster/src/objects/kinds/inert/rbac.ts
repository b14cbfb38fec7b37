/** Roles and who has them: kept only, whoever has the cluster's token may do everything. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { pathSegment } from '../../metadata-names.ts';
import { AGE, CREATED_AT, NAME, text, wide } from '../columns.ts';
import { fill, fillObject, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';

const RBAC = 'rbac.authorization.k8s.io';

const general = { group: RBAC, version: 'v1', inert: true, nameRule: pathSegment } as const;

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

export const role: KindSpec = {
  ...general,
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  columns: [NAME, CREATED_AT],
};

export const clusterRole: KindSpec = {
  ...general,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  columns: [NAME, CREATED_AT],
};

export const roleBinding: KindSpec = {
  ...general,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  columns: bindingColumns,
  fill: fillBinding,
};

export const clusterRoleBinding: KindSpec = {
  ...general,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  columns: bindingColumns,
  fill: fillBinding,
};

function fillBinding(draft: JsonObject): void {
  fill(fillObject(draft, 'roleRef'), 'apiGroup', RBAC);
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
