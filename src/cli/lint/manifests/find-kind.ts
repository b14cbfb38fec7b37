/**
 * Finds the type of an object's apiVersion and kind, or the reason why there is none. The table has all kinds of the
 * built-in groups: an unknown kind there is a mistake. In any other group it may be a custom kind. Pure.
 */
import {
  everyKind,
  everyType,
  KNOWN_VERSIONS,
  type TypeNode,
  versionsOf,
} from '../../../../packages/local-cluster/src/index.ts';
import { groupOf } from '../../../kube/object.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import { usedVersion } from './used-version.ts';

export type FoundKind =
  | { readonly kind: 'builtin'; readonly type: TypeNode }
  | {
      readonly kind: 'wrong';
      readonly code: string;
      readonly message: string;
      readonly next: string;
      readonly at: 'apiVersion' | 'kind';
    }
  /** A kind of a group that is not built in. */
  | { readonly kind: 'foreign' };

/** Finds a kind in the version of the server; null: in the newest version that is known. */
export function findKind(apiVersion: string, kind: string, asked: number | null): FoundKind {
  const serverMinor = usedVersion(asked);
  const range = versionsOf(apiVersion, kind);
  const type = everyType(apiVersion, kind);
  if (range !== undefined && range.from > serverMinor) {
    return tooNew({ apiVersion, kind, since: range.from, serverMinor });
  }
  if (type !== undefined) return { kind: 'builtin', type };
  const removed = range === undefined ? removedIn(apiVersion, kind) : range.until + 1;
  // Removals are known for more versions than kinds and fields are.
  if (removed !== undefined && removed <= (asked ?? serverMinor)) {
    const message = `${apiVersion} ${kind} was removed from Kubernetes in 1.${removed}.`;
    return {
      kind: 'wrong',
      code: 'LHM006',
      at: 'apiVersion',
      message,
      next: successorOf(kind, serverMinor),
    };
  }
  if (removed !== undefined) return { kind: 'builtin', type: { kind: 'any' } };
  return notKnown(apiVersion, kind);
}

function tooNew(asked: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly since: number;
  readonly serverMinor: number;
}): FoundKind {
  const { apiVersion, kind, since, serverMinor } = asked;
  const message = `Kubernetes 1.${serverMinor} has no ${apiVersion} ${kind}: 1.${since} is the first that has it.`;
  const [older] = versionsWith(kind, serverMinor);
  const next = older === undefined ? 'Raise --server-version.' : `Write apiVersion: ${older}.`;
  return { kind: 'wrong', code: 'LHM007', at: 'apiVersion', message, next };
}

function notKnown(apiVersion: string, kind: string): FoundKind {
  const group = groupOf(apiVersion);
  const elsewhere = versionsWith(kind);
  if (GROUPS.has(group)) {
    const versions = elsewhere.filter((one) => groupOf(one) === group);
    if (versions.length > 0) return unknownVersion(apiVersion, kind, versions);
    return unknownKind(apiVersion, kind, elsewhere);
  }
  // A custom group has a dot. A name that is one letter off a built-in group is a misspelling of it.
  const near = nearestWord(group, [...GROUPS]);
  if (group.includes('.') && (near === null || elsewhere.length === 0)) return { kind: 'foreign' };
  const message = `there is no API group ${JSON.stringify(group)}.`;
  const meant = elsewhere[0] ?? (near === null ? null : apiVersion.replace(group, near));
  const next = meant === null ? 'Correct apiVersion.' : `Did you mean apiVersion: ${meant}?`;
  return { kind: 'wrong', code: 'LHM004', at: 'apiVersion', message, next };
}

function unknownVersion(apiVersion: string, kind: string, known: readonly string[]): FoundKind {
  const [newest = ''] = known;
  return {
    kind: 'wrong',
    code: 'LHM005',
    at: 'apiVersion',
    message: `there is no apiVersion ${apiVersion} of ${kind}: the newest that is known, of Kubernetes 1.${KNOWN_VERSIONS.until}, is ${newest}.`,
    next: `Write apiVersion: ${newest}.`,
  };
}

function unknownKind(apiVersion: string, kind: string, elsewhere: readonly string[]): FoundKind {
  const [right] = elsewhere;
  const message = `${apiVersion} has no kind ${JSON.stringify(kind)}.`;
  if (right !== undefined) {
    const next = `Write apiVersion: ${right}.`;
    return { kind: 'wrong', code: 'LHM004', at: 'apiVersion', message, next };
  }
  const own = kindsOf(apiVersion);
  const near = nearestWord(kind, own) ?? nearestWord(kind, ALL_KINDS);
  const next = near === null ? 'Correct kind or apiVersion.' : `Did you mean ${near}?`;
  return { kind: 'wrong', code: 'LHM004', at: 'kind', message, next };
}

function successorOf(kind: string, serverMinor: number): string {
  const [newest] = versionsWith(kind, serverMinor);
  if (newest !== undefined) {
    return `Write apiVersion: ${newest}, and check which of its fields differ.`;
  }
  return SUCCESSORS[kind] ?? 'It has no replacement: remove it.';
}

/** The versions that have the kind, newest first: stable before beta before alpha. */
function versionsWith(kind: string, minor: number = KNOWN_VERSIONS.until): readonly string[] {
  return everyKind()
    .filter((one) => one.endsWith(`/${kind}`))
    .map((one) => one.slice(0, -kind.length - 1))
    .filter((apiVersion) => {
      const range = versionsOf(apiVersion, kind);
      return range !== undefined && range.from <= minor && minor <= range.until;
    })
    .toSorted((one, other) => rank(other) - rank(one));
}

/**
 * Sort key, the largest first: v2, v1, v1beta2, v1alpha1. The core group precedes other groups, as users expect: "v1"
 * precedes "events.k8s.io/v1".
 */
export function rank(apiVersion: string): number {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const [, major = '0', stage = '', minor = '0'] =
    /^v(\d+)(alpha|beta)?(\d*)$/u.exec(version) ?? [];
  const level = { alpha: 0, beta: 1 }[stage] ?? 2;
  const isCore = apiVersion.includes('/') ? 0 : 1;
  return level * 10_000 + Number(major) * 100 + Number(minor) * 10 + isCore;
}

function kindsOf(apiVersion: string): readonly string[] {
  return everyKind()
    .filter((one) => one.startsWith(`${apiVersion}/`))
    .map((one) => one.slice(apiVersion.length + 1));
}

const GROUPS: ReadonlySet<string> = new Set([
  'extensions',
  ...everyKind().map((one) => groupOf(one.slice(0, one.lastIndexOf('/')))),
]);

const ALL_KINDS: readonly string[] = [
  ...new Set(everyKind().map((one) => one.slice(one.lastIndexOf('/') + 1))),
];

/**
 * Kinds that were removed before the oldest version of version-history.json, with the first version that lacks them.
 */
const REMOVED_GROUPS: readonly (readonly [number, string, readonly string[]])[] = [
  [
    16,
    'extensions/v1beta1',
    ['DaemonSet', 'Deployment', 'NetworkPolicy', 'PodSecurityPolicy', 'ReplicaSet'],
  ],
  [16, 'apps/v1beta1', ['ControllerRevision', 'Deployment', 'StatefulSet']],
  [
    16,
    'apps/v1beta2',
    ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  ],
  [21, 'batch/v2alpha1', ['CronJob']],
  [
    22,
    'admissionregistration.k8s.io/v1beta1',
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  ],
  [22, 'apiextensions.k8s.io/v1beta1', ['CustomResourceDefinition']],
  [22, 'apiregistration.k8s.io/v1beta1', ['APIService']],
  [22, 'authentication.k8s.io/v1beta1', ['TokenReview']],
  [
    22,
    'authorization.k8s.io/v1beta1',
    ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SubjectAccessReview'],
  ],
  [22, 'certificates.k8s.io/v1beta1', ['CertificateSigningRequest']],
  [22, 'coordination.k8s.io/v1beta1', ['Lease']],
  [22, 'extensions/v1beta1', ['Ingress']],
  [22, 'networking.k8s.io/v1beta1', ['Ingress', 'IngressClass']],
  [
    22,
    'rbac.authorization.k8s.io/v1alpha1',
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ],
  [
    22,
    'rbac.authorization.k8s.io/v1beta1',
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ],
  [22, 'scheduling.k8s.io/v1beta1', ['PriorityClass']],
  [22, 'storage.k8s.io/v1beta1', ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment']],
  [25, 'batch/v1beta1', ['CronJob']],
  [25, 'discovery.k8s.io/v1beta1', ['EndpointSlice']],
  [25, 'events.k8s.io/v1beta1', ['Event']],
  [25, 'autoscaling/v2beta1', ['HorizontalPodAutoscaler']],
  [25, 'node.k8s.io/v1beta1', ['RuntimeClass']],
  [25, 'policy/v1beta1', ['PodDisruptionBudget', 'PodSecurityPolicy']],
  [26, 'autoscaling/v2beta2', ['HorizontalPodAutoscaler']],
  [26, 'flowcontrol.apiserver.k8s.io/v1beta1', ['FlowSchema', 'PriorityLevelConfiguration']],
  [27, 'storage.k8s.io/v1beta1', ['CSIStorageCapacity']],
  [29, 'flowcontrol.apiserver.k8s.io/v1beta2', ['FlowSchema', 'PriorityLevelConfiguration']],
];

const REMOVED: ReadonlyMap<string, number> = new Map(
  REMOVED_GROUPS.flatMap(([minor, apiVersion, kinds]) =>
    kinds.map((kind) => [`${apiVersion}/${kind}`, minor] as const),
  ),
);

/** Minor version that removed the kind; undefined: the kind is not one of REMOVED_GROUPS. */
function removedIn(apiVersion: string, kind: string): number | undefined {
  return REMOVED.get(`${apiVersion}/${kind}`);
}

/** The successor of a kind, if it has another name. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  PodSecurityPolicy: 'Use the Pod Security labels of the namespace.',
};
