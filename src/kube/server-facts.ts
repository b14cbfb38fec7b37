/** Reads the version and the discovery of a server, for `capabilitiesOf`. */
import { isReason, UnreachableError } from './api-error.ts';
import { LOOKED_AT, parseServerVersion, type ServerFacts } from './capabilities.ts';
import type { CallOptions, KubeClient } from './client.ts';
import { fieldsAt } from './fields.ts';
import type { Json, JsonObject } from './object.ts';

export async function readServerFacts(
  client: KubeClient,
  options: CallOptions = {},
): Promise<ServerFacts> {
  const read = (path: string): Promise<Json> => client.raw({ ...options, method: 'GET', path });
  const version = parseServerVersion(fieldsAt(await read('/version')));
  if (version === null) {
    throw new UnreachableError('GET /version: the answer is not that of a Kubernetes API server', {
      sent: true,
    });
  }
  const core = textsOf(fieldsAt(await read('/api'))['versions']);
  const groups = arrayOf(fieldsAt(await read('/apis'))['groups']).flatMap((group) =>
    textsOf(arrayOf(group['versions']).map((one) => one['groupVersion'] ?? null)),
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

/** A group whose server is unavailable, or that was removed in the meantime, has no resources for now. */
async function resourcesOf(
  read: (path: string) => Promise<Json>,
  groupVersion: string,
): Promise<string[]> {
  try {
    const list = fieldsAt(await read(`/apis/${groupVersion}`));
    return textsOf(arrayOf(list['resources']).map((resource) => resource['name'] ?? null));
  } catch (error) {
    if (isReason(error, 'NotFound', 'ServiceUnavailable')) return [];
    throw error;
  }
}

function arrayOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map((one) => fieldsAt(one)) : [];
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
