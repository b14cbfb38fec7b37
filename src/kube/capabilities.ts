/**
 * What a server offers of what the product would use. Kubernetes does not tell which of its feature
 * gates are on, so the version tells what is on unless somebody switched it off; what is an API of its
 * own is there exactly when discovery lists it.
 */

/** What was read from a server: see `readServerFacts`. */
export interface ServerFacts {
  readonly version: ServerVersion;
  /** "v1", "apps/v1": every version that is served. */
  readonly groupVersions: readonly string[];
  /** "validatingadmissionpolicies.admissionregistration.k8s.io/v1", of the groups that matter here. */
  readonly resources: readonly string[];
}

export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
  /** As the server writes it: "v1.29.3-gke.1". */
  readonly text: string;
}

/** `gate`: there, but off unless a feature gate of that name was switched on. */
export type Support = 'yes' | 'gate' | 'no';

export interface Capabilities {
  readonly version: ServerVersion;
  /** Hooks of the kind `sleep` in a pod. Where it is not `yes`, the field is dropped without a word. */
  readonly sleepAction: Support;
  /** `sleep` of 0 seconds. */
  readonly sleepActionAllowZero: Support;
  /** Init containers with `restartPolicy: Always`. */
  readonly sidecarContainers: Support;
  /** `x-kubernetes-validations` in the schema of a CRD. */
  readonly crdCelRules: Support;
  /** `matchConditions` of admission webhooks. */
  readonly matchConditions: Support;
  readonly serverSideApply: Support;
  readonly watchBookmarks: Support;
  /** Exec and attach over web sockets, in the protocol "v4.channel.k8s.io". */
  readonly webSocketExec: Support;
  /** The same in "v5.channel.k8s.io", which can close standard input alone. */
  readonly execProtocolV5: Support;
  /** The newest version of each API that is served; null: none. */
  readonly validatingAdmissionPolicy: string | null;
  readonly mutatingAdmissionPolicy: string | null;
  readonly volumeSnapshot: string | null;
  readonly volumeGroupSnapshot: string | null;
  readonly podDisruptionBudget: string | null;
}

/** Minor versions of Kubernetes 1: since when it is there behind a gate, and since when it is on. */
interface Since {
  readonly gate: number;
  readonly on: number;
}

const FEATURES = {
  sleepAction: { gate: 29, on: 30 },
  sleepActionAllowZero: { gate: 32, on: 33 },
  sidecarContainers: { gate: 28, on: 29 },
  crdCelRules: { gate: 23, on: 25 },
  matchConditions: { gate: 27, on: 28 },
  serverSideApply: { gate: 14, on: 16 },
  watchBookmarks: { gate: 15, on: 16 },
  webSocketExec: { gate: 0, on: 0 },
  execProtocolV5: { gate: 29, on: 30 },
} as const satisfies Record<string, Since>;

/** Newest first. */
const APIS = {
  validatingAdmissionPolicy: {
    resource: 'validatingadmissionpolicies',
    group: 'admissionregistration.k8s.io',
    versions: ['v1', 'v1beta1'],
  },
  mutatingAdmissionPolicy: {
    resource: 'mutatingadmissionpolicies',
    group: 'admissionregistration.k8s.io',
    versions: ['v1', 'v1beta1'],
  },
  volumeSnapshot: {
    resource: 'volumesnapshots',
    group: 'snapshot.storage.k8s.io',
    versions: ['v1', 'v1beta1'],
  },
  volumeGroupSnapshot: {
    resource: 'volumegroupsnapshots',
    group: 'groupsnapshot.storage.k8s.io',
    versions: ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
  },
  podDisruptionBudget: {
    resource: 'poddisruptionbudgets',
    group: 'policy',
    versions: ['v1', 'v1beta1'],
  },
} as const satisfies Record<string, Api>;

interface Api {
  readonly resource: string;
  readonly group: string;
  readonly versions: readonly string[];
}

/** The group versions whose resources are looked at. */
export const LOOKED_AT: readonly string[] = [
  ...new Set(
    Object.values(APIS).flatMap(({ group, versions }) => versions.map((one) => `${group}/${one}`)),
  ),
];

export function capabilitiesOf(facts: ServerFacts): Capabilities {
  const { version } = facts;
  return {
    version,
    sleepAction: supportOf(version, FEATURES.sleepAction),
    sleepActionAllowZero: supportOf(version, FEATURES.sleepActionAllowZero),
    sidecarContainers: supportOf(version, FEATURES.sidecarContainers),
    crdCelRules: supportOf(version, FEATURES.crdCelRules),
    matchConditions: supportOf(version, FEATURES.matchConditions),
    serverSideApply: supportOf(version, FEATURES.serverSideApply),
    watchBookmarks: supportOf(version, FEATURES.watchBookmarks),
    webSocketExec: supportOf(version, FEATURES.webSocketExec),
    execProtocolV5: supportOf(version, FEATURES.execProtocolV5),
    validatingAdmissionPolicy: newestOf(facts, APIS.validatingAdmissionPolicy),
    mutatingAdmissionPolicy: newestOf(facts, APIS.mutatingAdmissionPolicy),
    volumeSnapshot: newestOf(facts, APIS.volumeSnapshot),
    volumeGroupSnapshot: newestOf(facts, APIS.volumeGroupSnapshot),
    podDisruptionBudget: newestOf(facts, APIS.podDisruptionBudget),
  };
}

/** "1", "20+" or, where those are missing, "v1.20.2"; null: it is no version. */
export function parseServerVersion(told: {
  readonly major?: unknown;
  readonly minor?: unknown;
  readonly gitVersion?: unknown;
}): ServerVersion | null {
  const { gitVersion, major: majorText, minor: minorText } = told;
  const text = typeof gitVersion === 'string' ? gitVersion : '';
  const numbers =
    typeof majorText === 'string' && typeof minorText === 'string'
      ? `v${majorText}.${minorText}`
      : '';
  const [, major, minor] = VERSION.exec(numbers) ?? VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined) return null;
  return { major: Number(major), minor: Number(minor), text: text === '' ? numbers : text };
}

const VERSION = /^v?(\d+)\.(\d+)/;

function supportOf({ major, minor }: ServerVersion, { gate, on }: Since): Support {
  if (major > 1 || (major === 1 && minor >= on)) return 'yes';
  return major === 1 && minor >= gate ? 'gate' : 'no';
}

function newestOf({ resources }: ServerFacts, { resource, group, versions }: Api): string | null {
  return versions.find((version) => resources.includes(`${resource}.${group}/${version}`)) ?? null;
}
