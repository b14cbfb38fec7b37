/** The version of each optional API on a server, by its discovery. */

/** Facts about a server: see `readServerFacts`. */
export interface ServerFacts {
  readonly version: ServerVersion;
  /** Every served version: "v1", "apps/v1". */
  readonly groupVersions: readonly string[];
  /** Resources of the groups in LOOKED_AT: "volumesnapshots.snapshot.storage.k8s.io/v1". */
  readonly resources: readonly string[];
}

export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
  /** The server's own text: "v1.29.3-gke.1". */
  readonly text: string;
}

export interface Capabilities {
  /** The newest served version of each API; null: none. */
  readonly volumeSnapshot: string | null;
  readonly volumeGroupSnapshot: string | null;
}

/** Newest first. */
const APIS = {
  volumeSnapshot: {
    resource: 'volumesnapshots',
    group: 'snapshot.storage.k8s.io',
    versions: ['v1'],
  },
  volumeGroupSnapshot: {
    resource: 'volumegroupsnapshots',
    group: 'groupsnapshot.storage.k8s.io',
    versions: ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
  },
} as const satisfies Record<string, Api>;

interface Api {
  readonly resource: string;
  readonly group: string;
  readonly versions: readonly string[];
}

/** The group versions whose resources are read. */
export const LOOKED_AT: readonly string[] = [
  ...new Set(
    Object.values(APIS).flatMap(({ group, versions }) => versions.map((one) => `${group}/${one}`)),
  ),
];

export function capabilitiesOf(facts: ServerFacts): Capabilities {
  return {
    volumeSnapshot: newestOf(facts, APIS.volumeSnapshot),
    volumeGroupSnapshot: newestOf(facts, APIS.volumeGroupSnapshot),
  };
}

/** Reads "1" and "37+", or, if they are missing, "v1.37.2"; null: not a version. */
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

function newestOf({ resources }: ServerFacts, { resource, group, versions }: Api): string | null {
  return versions.find((version) => resources.includes(`${resource}.${group}/${version}`)) ?? null;
}
