/**
 * Copies to EndpointSlices the Endpoints that a user maintains, for clients that read only EndpointSlices.
 *
 * These are Endpoints of services without a selector. Endpoints without a service, or with the label skip-mirror, are
 * ignored.
 */
import type {
  EndpointAddress,
  Endpoints,
  EndpointSubset,
  Service,
} from 'kubernetes-types/core/v1.js';
import type { Endpoint } from 'kubernetes-types/discovery/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { Expectations, followChildren } from '../../../../../src/controller/expectations.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import { parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { endpoints, services } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { selects } from './backends.ts';
import { keysOfManager, slicesByService } from './endpoint-slices.ts';
import {
  SERVICE_NAME,
  SLICE_MANAGED_BY,
  withoutManaged,
  type Placed,
  planSlices,
  type SlicePlan,
  writeSlices,
} from './slices.ts';
import { MAX_ADDRESSES } from './endpoints.ts';

const CONTROLLER = 'endpointslicemirroring-controller.k8s.io';
const SKIP = 'endpointslice.kubernetes.io/skip-mirror';

export function makeMirroringController(context: ControllerContext): Controller {
  const { client, informers, platform } = context;
  const ofEndpoints = informers.of(endpoints);
  const ofServices = informers.of(services);
  const slices = slicesByService(context);
  const expectations = new Expectations({ platform });
  const keys = keysOfManager(CONTROLLER);
  followChildren({ informer: slices, expectations, keys });
  return makeController({
    ...context,
    name: 'mirrored-slices',
    sources: [
      watched({ informer: ofEndpoints, keys: ownKey }),
      watched({ informer: ofServices, keys: ownKey }),
      watched({ informer: slices, keys }),
    ],
    reconcile: async (key): Promise<Outcome> => {
      const waiting = expectations.waitingFor(key);
      if (waiting !== null) return requeueAfter(waiting.ms, waiting.reason);
      const existing = slices.byIndex('service', key).filter((slice) => keys(slice).length > 0);
      const object = ofEndpoints.get(key);
      const mirrored = isMirrored(object, ofServices.get(key)) ? object : undefined;
      const labels = labelsOf(key, mirrored);
      const plan = planFor(mirrored, { labels, existing });
      await writeSlices({ client, expectations, key, labels, ...placeOf(key, object) }, plan);
      return done;
    },
  });
}

function isMirrored(object: Endpoints | undefined, service: Service | undefined): boolean {
  if (object === undefined || service === undefined || selects(service)) return false;
  return object.metadata?.labels?.[SKIP] !== 'true';
}

function planFor(
  object: Endpoints | undefined,
  {
    labels,
    existing,
  }: Pick<Parameters<typeof planSlices>[0], 'labels'> & {
    readonly existing: Parameters<typeof planSlices>[1];
  },
): SlicePlan {
  const placed = (object?.subsets ?? []).flatMap(placedIn).slice(0, MAX_ADDRESSES);
  if (placed.length === 0) return { create: [], update: [], remove: existing };
  const first = placed[0]?.endpoint.addresses[0] ?? '';
  const addressType = first.includes(':') ? 'IPv6' : 'IPv4';
  return planSlices({ addressType, labels, endpoints: placed }, existing);
}

function placedIn({
  addresses = [],
  notReadyAddresses = [],
  ports = [],
}: EndpointSubset): Placed[] {
  const named = ports.map(({ name = '', ...port }) => ({ name, protocol: 'TCP', ...port }));
  return [
    ...addresses.map((address) => ({ ports: named, endpoint: endpointOf(address, true) })),
    ...notReadyAddresses.map((address) => ({ ports: named, endpoint: endpointOf(address, false) })),
  ];
}

function endpointOf(
  { ip, hostname, nodeName, targetRef }: EndpointAddress,
  ready: boolean,
): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

function labelsOf(key: string, object: Endpoints | undefined): Readonly<Record<string, string>> {
  return {
    ...withoutManaged(object?.metadata?.labels ?? {}),
    [SERVICE_NAME]: parseKey(key).name,
    [SLICE_MANAGED_BY]: CONTROLLER,
  };
}

function placeOf(
  key: string,
  object: Endpoints | undefined,
): Pick<Parameters<typeof writeSlices>[0], 'namespace' | 'name' | 'owner'> {
  const { namespace = '', name } = parseKey(key);
  const who = { apiVersion: 'v1', kind: 'Endpoints', name, uid: object?.metadata?.uid ?? '' };
  return { namespace, name, owner: { ...who, controller: true, blockOwnerDeletion: true } };
}
