import type { ConfigMap, Pod } from 'kubernetes-types/core/v1.js';

import { configMaps } from '../../../src/kube/resources.ts';
import type { SimApi } from '../controller/sim-api.ts';

/** The node's message for an environment variable whose ConfigMap or key is missing; null if none is missing. */
export function missingReference(api: SimApi, { metadata, spec }: Pod): string | null {
  const env = spec?.containers[0]?.env ?? [];
  const references = env.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef ?? []);
  const missing = references.find(({ name = '', key }) => {
    const { namespace = '' } = metadata ?? {};
    const map = api.find(configMaps, { namespace, name }) as unknown as ConfigMap | undefined;
    return !Object.hasOwn(map?.data ?? {}, key);
  });
  return missing === undefined ? null : `couldn't find key ${missing.key} in ${missing.name}`;
}
