import type { KubeClient, ListOptions } from '../../../src/kube/client.ts';
import type { KubeObject } from '../../../src/kube/object.ts';

/** The simulated client with label selectors of the kind `name=value,…`, as the controllers send them. */
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
