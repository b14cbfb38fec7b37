/**
 * Maintains the EndpointSlices of each service that selects pods. They are deleted with the service, which owns them.
 */
import type { Service } from 'kubernetes-types/core/v1.js';
import type { Endpoint, EndpointSlice } from 'kubernetes-types/discovery/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { Expectations, followChildren } from '../../../../../src/controller/expectations.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import type { ControllerContext } from '../context.ts';
import { type Backend, backendsOf, isHeadless, selects, servicePods } from './backends.ts';
import {
  HEADLESS,
  SERVICE_NAME,
  SLICE_MANAGED_BY,
  withoutManaged,
  planSlices,
  endpointSlices,
  writeSlices,
} from './slices.ts';

export const SLICE_CONTROLLER = 'endpointslice-controller.k8s.io';

export function makeEndpointSliceController(context: ControllerContext): Controller {
  const { client, platform } = context;
  const { services, sources, podsOf } = servicePods(context);
  const slices = slicesByService(context);
  const expectations = new Expectations({ platform });
  const keys = keysOfManager(SLICE_CONTROLLER);
  followChildren({ informer: slices, expectations, keys });
  return makeController({
    ...context,
    name: 'endpoint-slices',
    sources: [...sources, watched({ informer: slices, keys })],
    reconcile: async (key): Promise<Outcome> => {
      const service = services.get(key);
      if (service === undefined) expectations.forget(key);
      if (service === undefined || !selects(service)) return done;
      const waiting = expectations.waitingFor(key);
      if (waiting !== null) return requeueAfter(waiting.ms, waiting.reason);
      const labels = labelsOf(service);
      const addressType = service.spec?.ipFamilies?.[0] ?? 'IPv4';
      const endpoints = backendsOf(service, podsOf(service)).map((backend) => ({
        ports: backend.ports.map((port) => ({ ...port })),
        endpoint: endpointOf(backend),
      }));
      const existing = slices
        .byIndex('service', key)
        .filter((slice) => slice.metadata?.labels?.[SLICE_MANAGED_BY] === SLICE_CONTROLLER);
      const plan = planSlices({ addressType, labels, endpoints }, existing);
      await writeSlices({ client, expectations, key, labels, ...placeOf(service) }, plan);
      return done;
    },
  });
}

export function slicesByService({ informers }: ControllerContext): Informer<EndpointSlice> {
  return informers.of(endpointSlices, { indexes: { service: serviceKeys } });
}

function serviceKeys({ metadata = {} }: EndpointSlice): readonly string[] {
  const name = metadata.labels?.[SERVICE_NAME];
  return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
}

/** Returns the key of the service that an EndpointSlice belongs to, if `manager` manages it. */
export function keysOfManager(manager: string): (slice: EndpointSlice) => readonly string[] {
  return (slice) =>
    slice.metadata?.labels?.[SLICE_MANAGED_BY] === manager ? serviceKeys(slice) : [];
}

function labelsOf(service: Service): Readonly<Record<string, string>> {
  return {
    ...withoutManaged(service.metadata?.labels ?? {}),
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
    [SERVICE_NAME]: service.metadata?.name ?? '',
    [SLICE_MANAGED_BY]: SLICE_CONTROLLER,
  };
}

function placeOf({
  metadata = {},
}: Service): Pick<Parameters<typeof writeSlices>[0], 'namespace' | 'name' | 'owner'> {
  const { namespace = '', name = '', uid = '' } = metadata;
  const who = { apiVersion: 'v1', kind: 'Service', name, uid };
  return { namespace, name, owner: { ...who, controller: true, blockOwnerDeletion: true } };
}

function endpointOf({ ip, ready, serving, terminating, ...more }: Backend): Endpoint {
  const { nodeName, hostname, pod } = more;
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', ...pod },
  };
}
