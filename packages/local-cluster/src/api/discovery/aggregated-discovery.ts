/** Everything in two answers, as clients from 1.27 on ask for it: /api and /apis with their resources. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { readAccept } from '../media-type.ts';
import type { ResourceRegistry } from '../registry.ts';
import { resourcesOf, servedGroups, subresourcesOf, versionsOf } from './served-resources.ts';

const GROUP = 'apidiscovery.k8s.io';
const KIND = 'APIGroupDiscoveryList';

/** The version that the caller wants it in; null: the plain form. The first it names counts. */
export function aggregatedVersion(accept: string | undefined): 'v2' | 'v2beta1' | null {
  for (const { type, parameters } of readAccept(accept ?? '')) {
    if (type !== 'application/json') continue;
    const { g, v, as } = parameters;
    if (as === undefined) return null;
    if (g === GROUP && as === KIND && (v === 'v2' || v === 'v2beta1')) return v;
  }
  return null;
}

export function aggregatedType(version: string): string {
  return `application/json;g=${GROUP};v=${version};as=${KIND}`;
}

export function aggregatedDiscovery(
  registry: ResourceRegistry,
  which: 'core' | 'groups',
  version: string,
): JsonObject {
  const core = [{ name: '', versions: versionsOf(registry, '') }];
  const groups = which === 'core' ? core : servedGroups(registry);
  return {
    kind: KIND,
    apiVersion: `${GROUP}/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata:
        group.name === ''
          ? { creationTimestamp: null }
          : { name: group.name, creationTimestamp: null },
      versions: group.versions.map((of) => ({
        version: of,
        resources: resourcesOf(registry, group.name, of).map(describe),
        freshness: 'Current',
      })),
    })),
  };
}

function describe(definition: ResourceDefinition): JsonObject {
  const { group, version, kind, plural, singular, namespaced, verbs } = definition;
  const { shortNames, categories } = definition;
  const subresources = subresourcesOf(definition).map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
    verbs: [...sub.verbs],
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs].toSorted(),
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
