/**
 * What users may do with our kinds, as parts of the roles that every cluster has: who may edit in a
 * namespace runs commands in its pods already, and so gains nothing by a hook. Pure.
 */
import type { ClusterRole } from 'kubernetes-types/rbac/v1.js';

import { lifehookDefinitions } from './all-definitions.ts';
import { LABELS } from './install-options.ts';

const GROUP = 'lifehook.dev';
/** Written by the controllers alone. */
const RECORDS: readonly string[] = ['hookruns'];
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

export function userRoles(): readonly ClusterRole[] {
  const kinds = lifehookDefinitions().map(({ spec }) => spec.names.plural);
  const written = kinds.filter((kind) => !RECORDS.includes(kind));
  return [
    userRole('lifehook-view', ['view'], { resources: kinds, verbs: READ }),
    userRole('lifehook-edit', ['edit', 'admin'], { resources: written, verbs: WRITE }),
  ];
}

function userRole(
  name: string,
  into: readonly string[],
  rule: { readonly resources: string[]; readonly verbs: string[] },
): ClusterRole {
  const labels: Record<string, string> = { ...LABELS };
  for (const role of into) labels[`rbac.authorization.k8s.io/aggregate-to-${role}`] = 'true';
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules: [{ apiGroups: [GROUP], ...rule }],
  };
}
