/**
 * Maintains one Endpoints object for each service that selects pods, and deletes it with its service.
 *
 * Endpoints of a service without a selector belong to users: they are not changed while the service exists.
 *
 * Each set of ports is one subset, with the addresses that have exactly these ports. Subsets and addresses are sorted,
 * so that equal states give equal objects.
 */
import type {
  EndpointAddress,
  EndpointPort,
  Endpoints,
  EndpointSubset,
  Service,
} from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { sameJson } from '../../../../../src/controller/same-json.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { deleteIfSame } from '../../../../../src/kube/get-or-null.ts';
import { endpoints } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import {
  type Backend,
  type BackendPort,
  backendsOf,
  isHeadless,
  selects,
  servicePods,
} from './backends.ts';
import { HEADLESS, withoutManaged } from './slices.ts';

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
        if (before !== undefined) await deleteIfSame(client, endpoints, before);
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

/** Maximum number of addresses of one object, as in a real cluster: older clients fail on larger objects. */
export const MAX_ADDRESSES = 1_000;

interface Subsets {
  readonly subsets: readonly EndpointSubset[];
  /** True if addresses were omitted. */
  readonly truncated: boolean;
}

function subsetsOf(
  backends: readonly Backend[],
  { headless }: { readonly headless: boolean },
): Subsets {
  // A terminating pod is omitted at once, unless the service publishes addresses that are not ready.
  const open = backends.filter(({ terminating, ready }) => !terminating || ready);
  const reachable = open.filter(({ ports }) => ports.length > 0 || headless);
  const shown = capped(reachable);
  const groups = new Map<string, Backend[]>();
  for (const backend of shown) {
    const id = JSON.stringify(backend.ports.toSorted(byPort));
    groups.set(id, [...(groups.get(id) ?? []), backend]);
  }
  const subsets = [...groups.keys()].toSorted().map((id) => subsetOf(groups.get(id) ?? []));
  return { subsets, truncated: shown.length < reachable.length };
}

/** At most MAX_ADDRESSES pods. If there are more, pods that are not ready are omitted first. */
function capped(backends: readonly Backend[]): readonly Backend[] {
  if (backends.length <= MAX_ADDRESSES) return backends;
  const ready = backends.filter((backend) => backend.ready);
  const others = backends.filter((backend) => !backend.ready);
  return [...ready, ...others].slice(0, MAX_ADDRESSES);
}

function subsetOf(backends: readonly Backend[]): EndpointSubset {
  const sorted = backends.toSorted((a, b) => compare(a.ip, b.ip) || compare(a.pod.uid, b.pod.uid));
  const addresses = sorted.filter(({ ready }) => ready).map(addressOf);
  const notReadyAddresses = sorted.filter(({ ready }) => !ready).map(addressOf);
  const ports = (backends[0]?.ports ?? []).toSorted(byPort).map(portOf);
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(ports.length === 0 ? {} : { ports }),
  };
}

function addressOf({ ip, nodeName, hostname, pod }: Backend): EndpointAddress {
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', ...pod },
  };
}

function portOf({ name, ...port }: BackendPort): EndpointPort {
  return { ...(name === '' ? {} : { name }), ...port };
}

function byPort(a: BackendPort, b: BackendPort): number {
  return compare(a.name, b.name) || a.port - b.port || compare(a.protocol, b.protocol);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
