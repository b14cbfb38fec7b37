/**
 * Builds the plain discovery documents, which every client supports: groups, versions, and the resources of a version.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { apiVersionOf, type ResourceRegistry } from '../registry.ts';
import {
  resourcesOf,
  servedGroups,
  type ServedGroup,
  subresourcesOf,
  versionsOf,
} from './served-resources.ts';

export function coreVersions(serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

export function groupList(registry: ResourceRegistry): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: servedGroups(registry).map(groupOf) };
}

/** Returns undefined if no resource of the group is served. */
export function oneGroup(registry: ResourceRegistry, name: string): JsonObject | undefined {
  const versions = name === '' ? [] : versionsOf(registry, name);
  if (versions.length === 0) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf({ name, versions }) };
}

function groupOf({ name, versions }: ServedGroup): JsonObject {
  const described = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: described, preferredVersion: described[0] ?? {} };
}

export function resourceList(
  registry: ResourceRegistry,
  group: string,
  version: string,
): JsonObject | undefined {
  const definitions = resourcesOf(registry, group, version);
  if (definitions.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    // A real server omits apiVersion in the list of the core group.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: definitions.flatMap(describe),
  };
}

function describe(definition: ResourceDefinition): JsonObject[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = definition;
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: [...verbs].toSorted(),
      ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
      ...(categories.length === 0 ? {} : { categories: [...categories] }),
    },
    ...subresourcesOf(definition).map((sub) => ({
      name: `${plural}/${sub.name}`,
      singularName: '',
      namespaced,
      ...foreign(sub, definition),
      kind: sub.kind,
      verbs: [...sub.verbs],
    })),
  ];
}

/** Group and version of a subresource; empty if they are those of its resource. */
function foreign(
  { group, version }: { readonly group: string; readonly version: string },
  of: ResourceDefinition,
): JsonObject {
  return group === of.group && version === of.version ? {} : { group, version };
}
