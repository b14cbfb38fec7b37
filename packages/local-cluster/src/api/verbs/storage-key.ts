/** The key under which a real API server stores an object in its database; its error for another uid names it. */
import type { ResourceDefinition } from '../../objects/resource-definition.ts';

/** By storage name, if it differs from the plural. */
const PLACES: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'customresourcedefinitions.apiextensions.k8s.io':
    'apiextensions.k8s.io/customresourcedefinitions',
  'ingresses.networking.k8s.io': 'ingress',
};

/** Example: "/registry/services/specs/default/web" */
export function storageKey(
  {
    storageName,
    plural,
    group,
    custom,
    namespaced,
  }: Pick<ResourceDefinition, 'storageName' | 'plural' | 'group' | 'custom' | 'namespaced'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  const place = custom ? `${group}/${plural}` : (PLACES[storageName] ?? plural);
  return ['/registry', place, ...(namespaced ? [namespace] : []), name].join('/');
}
