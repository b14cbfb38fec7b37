/** Where a real API server keeps an object in its database: what the refusal of another identity names. */
import type { ResourceDefinition } from '../../objects/resource-definition.ts';

/** By storage name, where it is not the plural. */
const PLACES: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'customresourcedefinitions.apiextensions.k8s.io':
    'apiextensions.k8s.io/customresourcedefinitions',
  'ingresses.networking.k8s.io': 'ingress',
};

/** "/registry/services/specs/default/web" */
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
