/**
 * Maintains one Endpoints object per service that selects pods. It is deleted with its service; the objects
 * of services without a selector belong to users and are left alone while the service exists.
 */
import type { Endpoints, Service } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { sameJson } from '../../../../../src/controller/same-json.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { endpoints } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { backendsOf, isHeadless, selects, servicePods } from './backends.ts';
import { HEADLESS, withoutManaged } from './slices.ts';
import { subsetsOf, type Subsets } from './subsets.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const CONTROLLER = 'endpoint-controller';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

export function makeEndpointsController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const { services, sources, podsOf } = servicePods(context);
  const ofEndpoints = informers.of(endpoints);
  return makeController({
    ...context,
    name: 'endpoints',
    sources: [...sources, watched({ informer: ofEndpoints, keys: ownIfManaged })],
    reconcile: async (key, { signal }): Promise<Outcome> => {
      const service = services.get(key);
      const before = ofEndpoints.get(key);
      if (service === undefined) {
        if (before !== undefined) await remove(client, key, before);
        return done;
      }
      if (!selects(service)) return done;
      const headless = isHeadless(service);
      const subsets = subsetsOf(backendsOf(service, podsOf(service)), { headless });
      const after = endpointsOf(service, subsets, before);
      if (before === undefined) await client.create(endpoints, after, { signal });
      else if (differs(before, after)) await client.replace(endpoints, after, { signal });
      return done;
    },
  });
}

function ownIfManaged({ metadata = {} }: Endpoints): readonly string[] {
  if (metadata.labels?.[MANAGED_BY] !== CONTROLLER) return [];
  return [`${metadata.namespace ?? ''}/${metadata.name ?? ''}`];
}

async function remove(
  client: KubeClient,
  key: string,
  { metadata: { uid } = {} }: Endpoints,
): Promise<void> {
  try {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await client.delete(endpoints, parseKey(key), preconditions);
  } catch (error) {
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}

function endpointsOf(
  service: Service,
  { subsets, truncated }: Subsets,
  before: Endpoints | undefined,
): Endpoints {
  const { name = '', namespace = '' } = service.metadata ?? {};
  const annotations = { ...before?.metadata?.annotations };
  delete annotations[OVER_CAPACITY];
  if (truncated) annotations[OVER_CAPACITY] = 'truncated';
  const labels = labelsOf(service);
  return {
    metadata: { ...before?.metadata, name, namespace, annotations, labels },
    ...(subsets.length === 0 ? {} : { subsets: [...subsets] }),
  };
}

function labelsOf(service: Service): Record<string, string> {
  return {
    ...withoutManaged(service.metadata?.labels ?? {}),
    [MANAGED_BY]: CONTROLLER,
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
  };
}

function differs(before: Endpoints, after: Endpoints): boolean {
  return !sameJson(comparable(before), comparable(after));
}

function comparable({ metadata, subsets = [] }: Endpoints): unknown {
  const { labels = {}, annotations = {} } = metadata ?? {};
  return { labels, annotations, subsets };
}
