import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';

import { sameJson } from '../../controller/same-json.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import type { Json } from '../../kube/object.ts';
import { customResourceDefinitions } from '../../kube/resources.ts';
import kinds from './lifehook-kinds.json' with { type: 'json' };

/**
 * Our kinds as this version has them, over those of another version. Without CEL rules, whose engine
 * would have to be loaded before anything is ready: the controllers judge by the same rules.
 */
export async function installKinds(client: KubeClient): Promise<void> {
  await Promise.all(
    (kinds as CustomResourceDefinition[]).map(async (definition) => {
      const key = { name: definition.metadata?.name ?? '' };
      const found = await getOrNull(client, customResourceDefinitions, key);
      if (found === null) return client.create(customResourceDefinitions, definition);
      const { annotations } = definition.metadata ?? {};
      if (sameJson(found.metadata?.annotations, annotations)) return found;
      const body = { metadata: { annotations }, spec: definition.spec } as unknown as Json;
      return client.patch(customResourceDefinitions, key, { type: 'merge', body });
    }),
  );
}
