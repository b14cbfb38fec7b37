/** Finds the version of a server and of each optional API on it, from its discovery documents. */
import { orNull, UnreachableError } from './api-error.ts';
import type { KubeClient } from './client.ts';
import { fieldsAt, objectsAt, textsAt } from './fields.ts';
import type { Json, JsonObject } from './object.ts';
import { GROUP_VERSIONS } from './snapshots.ts';

/** Facts about a server, from which `capabilitiesOf` derives its capabilities. */
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
  /** The newest served version of each API; null: none that the controllers can use is served. */
  readonly volumeSnapshot: string | null;
  readonly volumeGroupSnapshot: string | null;
}

/** The versions of each API that the controllers can use, newest first. */
const APIS = {
  volumeSnapshot: {
    resource: 'volumesnapshots',
    group: 'snapshot.storage.k8s.io',
    versions: ['v1'],
  },
  volumeGroupSnapshot: {
    resource: 'volumegroupsnapshots',
    group: 'groupsnapshot.storage.k8s.io',
    versions: GROUP_VERSIONS,
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

/** The version from "1" and "37+", or, if they are missing, from "v1.37.2"; null: neither is a version. */
export function parseServerVersion(reported: {
  readonly major?: unknown;
  readonly minor?: unknown;
  readonly gitVersion?: unknown;
}): ServerVersion | null {
  const { gitVersion, major: majorText, minor: minorText } = reported;
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

/** Reads the version and the discovery of a server, for `capabilitiesOf`. */
export async function readServerFacts(client: KubeClient): Promise<ServerFacts> {
  const read = (path: string): Promise<Json> => client.raw({ method: 'GET', path });
  const version = parseServerVersion(fieldsAt(await read('/version')));
  if (version === null) {
    throw new UnreachableError('GET /version: the answer is not that of a Kubernetes API server', {
      sent: true,
    });
  }
  const core = textsAt(await read('/api'), 'versions');
  const groups = objectsAt(await read('/apis'), 'groups').flatMap((group) =>
    textsOf(objectsAt(group, 'versions'), 'groupVersion'),
  );
  const groupVersions = [...core, ...groups];
  const resources: string[] = [];
  for (const groupVersion of LOOKED_AT) {
    if (!groupVersions.includes(groupVersion)) continue;
    for (const name of await resourcesOf(read, groupVersion)) {
      resources.push(`${name}.${groupVersion}`);
    }
  }
  return { version, groupVersions, resources };
}

/** The resources of a group version; none if its server is unavailable, or if the group was removed in the meantime. */
async function resourcesOf(
  read: (path: string) => Promise<Json>,
  groupVersion: string,
): Promise<readonly string[]> {
  const list = await orNull(read(`/apis/${groupVersion}`), 'NotFound', 'ServiceUnavailable');
  return textsOf(objectsAt(list, 'resources'), 'name');
}

function textsOf(objects: readonly JsonObject[], field: string): readonly string[] {
  return textsAt(objects.map((object) => object[field] ?? null));
}
