/** The least permissions that the controllers need (SNAP-G23), as roles for a cluster or for one namespace. Pure. */
import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from 'kubernetes-types/rbac/v1.js';

import { accessReviewPermission } from '../../controller/admission/ask-access.ts';
import type { Permission } from '../../controller/ask-permissions.ts';
import type { KubeObject } from '../../kube/object.ts';
import { GROUP } from '../../model/api-version.ts';
import { allPermissions, lifehookDefinitions } from './all-definitions.ts';
import {
  type InstallOptions,
  LABELS,
  NAME,
  type NotificationOptions,
  NOTIFICATIONS,
  WEBHOOK,
  WEBHOOK_CONFIGURATION_NAMES,
} from './install-options.ts';

const RBAC = 'rbac.authorization.k8s.io';
const API_VERSION = `${RBAC}/v1`;

export function roles(options: InstallOptions): readonly KubeObject[] {
  const { namespaced } = options;
  const all = allPermissions(options);
  const inNamespace = all.filter(({ clusterWide = false }) => !clusterWide);
  const clusterWide = all.filter((permission) => permission.clusterWide === true);
  const everywhere = namespaced ? clusterWide : all;
  const webhook = namespaced ? [] : [...WEBHOOK_CONFIGURATIONS, ruleOf(accessReviewPermission)];
  const notified = options.notifications === undefined ? [] : notifyRules(options.notifications);
  const own = [...(namespaced ? [...inNamespace, ...LEASE] : [...LEASE, ...SECRET]), ...notified];
  const role: Role = {
    apiVersion: API_VERSION,
    kind: 'Role',
    metadata: { name: NAME, namespace: options.namespace, labels: { ...LABELS } },
    rules: own.map(ruleOf),
  };
  const name = clusterName(options);
  const clusterRole: ClusterRole = {
    apiVersion: API_VERSION,
    kind: 'ClusterRole',
    metadata: { name, labels: { ...LABELS } },
    rules: [...everywhere.map(ruleOf), ...webhook],
  };
  return [clusterRole, role, clusterBinding(options, name), binding(options)];
}

/**
 * A name that is unique to the installation: each namespaced installation has its own ClusterRole for cluster-scoped
 * objects.
 */
function clusterName({ namespaced, namespace }: InstallOptions): string {
  return namespaced ? `${NAME}:${namespace}` : NAME;
}

interface Rule {
  apiGroups: string[];
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}

function ruleOf({ group, resource, verbs, names }: NamedPermission): Rule {
  const rule = { apiGroups: [group], resources: [resource], verbs: [...verbs] };
  return names === undefined ? rule : { ...rule, resourceNames: names };
}

type NamedPermission = Permission & { readonly names?: string[] };

/** The Lease is in the namespace of the controllers. `create` has no name, because RBAC cannot restrict it by name. */
const LEASE: readonly NamedPermission[] = [
  { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'] },
  { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'update'], names: [NAME] },
];

/** The Secret with the webhook's certificates and key. */
const SECRET: readonly NamedPermission[] = [
  { group: '', resource: 'secrets', verbs: ['create'] },
  { group: '', resource: 'secrets', verbs: ['get', 'update'], names: [WEBHOOK] },
];

/** Rules for the receiver's Secret, and for the record of delivered notifications. */
function notifyRules({ secret }: NotificationOptions): readonly NamedPermission[] {
  return [
    { group: '', resource: 'secrets', verbs: ['get'], names: [secret] },
    { group: '', resource: 'configmaps', verbs: ['create'] },
    { group: '', resource: 'configmaps', verbs: ['get', 'update'], names: [NOTIFICATIONS] },
  ];
}

const CONFIGURATIONS = {
  apiGroups: ['admissionregistration.k8s.io'],
  resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
};

/**
 * `get` and `patch` only of Lifehook's own configurations: the controllers must not change those of other webhooks.
 * RBAC cannot restrict `create` by name.
 */
const WEBHOOK_CONFIGURATIONS: readonly Rule[] = [
  { ...CONFIGURATIONS, verbs: ['create'] },
  { ...CONFIGURATIONS, resourceNames: [...WEBHOOK_CONFIGURATION_NAMES], verbs: ['get', 'patch'] },
];

function clusterBinding({ namespace }: InstallOptions, name: string): ClusterRoleBinding {
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: { ...LABELS } },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
  };
}

function binding({ namespace }: InstallOptions): RoleBinding {
  return {
    apiVersion: API_VERSION,
    kind: 'RoleBinding',
    metadata: { name: NAME, namespace, labels: { ...LABELS } },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: NAME },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
  };
}

/** Kinds that users may only read, because only the controllers write them. */
const RECORDS: readonly string[] = ['hookruns'];
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * The permissions of users for Lifehook's kinds, aggregated to the default roles of every cluster. A user with the edit
 * role in a namespace may already run commands in its pods, so a hook grants nothing new. Pure.
 */
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
