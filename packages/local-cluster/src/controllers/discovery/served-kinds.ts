/**
 * Lists the built-in and custom kinds that the API server serves now, each in one version.
 *
 * That is the preferred version of the group, or the first that has the kind. If a group cannot be read, it is
 * reported, and the other groups are still listed.
 */
import { ApiError } from '../../../../../src/kube/api-error.ts';
import type { CallOptions, KubeClient } from '../../../../../src/kube/client.ts';
import type { JsonObject, Resource } from '../../../../../src/kube/object.ts';
import { fieldsAt, listAt, objectsAt, textAt, textsAt } from '../../../../../src/kube/fields.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';

export interface ServedKind {
  readonly resource: Resource;
  readonly verbs: readonly string[];
}

export interface ServedKinds {
  readonly kinds: readonly ServedKind[];
  /** Group versions that could not be read, and the reasons. */
  readonly failures: readonly { readonly groupVersion: string; readonly why: string }[];
}

/** Maximum number of group versions that are read. More of them can only be a mistake. */
const MAX_GROUP_VERSIONS = 1_000;

export async function readServedKinds(
  client: KubeClient,
  options: CallOptions,
): Promise<ServedKinds> {
  const read = async (path: string): Promise<JsonObject> =>
    fieldsAt(await client.raw({ ...options, method: 'GET', path }));
  const groupVersions = ['v1', ...orderedVersions(await read('/apis'))];
  const kinds = new Map<string, ServedKind>();
  const failures: { groupVersion: string; why: string }[] = [];
  for (const groupVersion of groupVersions.slice(0, MAX_GROUP_VERSIONS)) {
    const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    try {
      keepFirst(kinds, kindsIn(groupVersion, await read(path)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The group version was removed after the list of groups was read.
      if (error.code !== 404) failures.push({ groupVersion, why: errorText(error) });
    }
  }
  return { kinds: [...kinds.values()], failures };
}

function keepFirst(kinds: Map<string, ServedKind>, found: readonly ServedKind[]): void {
  for (const kind of found) {
    const id = `${kind.resource.plural}.${kind.resource.group}`;
    if (!kinds.has(id)) kinds.set(id, kind);
  }
}

export function has(kind: ServedKind, ...verbs: readonly string[]): boolean {
  return verbs.every((verb) => kind.verbs.includes(verb));
}

function orderedVersions(groups: JsonObject): readonly string[] {
  return objectsAt(groups, 'groups').flatMap((group) => {
    const preferred = textAt(group, 'preferredVersion', 'groupVersion');
    const all = objectsAt(group, 'versions').map((version) => textAt(version, 'groupVersion'));
    return [...all.filter((one) => one === preferred), ...all.filter((one) => one !== preferred)];
  });
}

function kindsIn(groupVersion: string, list: JsonObject): readonly ServedKind[] {
  const slash = groupVersion.indexOf('/');
  const group = slash === -1 ? '' : groupVersion.slice(0, slash);
  return objectsAt(list, 'resources')
    .filter((entry) => !textAt(entry, 'name').includes('/') && listAt(entry, 'verbs').length > 0)
    .map((entry) => ({
      resource: {
        group: textAt(entry, 'group') || group,
        version: textAt(entry, 'version') || groupVersion.slice(slash + 1),
        kind: textAt(entry, 'kind'),
        plural: textAt(entry, 'name'),
        namespaced: entry['namespaced'] === true,
      },
      verbs: textsAt(entry, 'verbs'),
    }));
}
