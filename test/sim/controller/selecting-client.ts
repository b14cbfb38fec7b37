import type { KubeClient, ListOptions } from '../../../src/kube/client.ts';
import type { KubeObject } from '../../../src/kube/object.ts';

/** Adds label selectors of the form `name=value,…` to the simulated client, as the controllers use them. */
export function selecting(client: KubeClient): KubeClient {
  return {
    ...client,
    list: async (resource, options = {}) => {
      const found = await client.list(resource, options);
      return { ...found, items: found.items.filter((object) => isSelected(object, options)) };
    },
  };
}

function isSelected({ metadata }: KubeObject, { labelSelector = '' }: ListOptions): boolean {
  if (labelSelector === '') return true;
  const labels = metadata?.labels ?? {};
  return labelSelector.split(',').every((term) => {
    const [name = '', value] = term.split('=');
    return labels[name] === value;
  });
}
