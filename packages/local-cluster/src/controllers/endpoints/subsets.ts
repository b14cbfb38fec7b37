/**
 * The addresses of a service in the form of the Endpoints kind: each set of ports once, with the addresses
 * that have exactly these ports. Sorted, so that equal states give equal objects. Pure.
 */
import type { EndpointAddress, EndpointPort, EndpointSubset } from 'kubernetes-types/core/v1.js';

import type { Backend, BackendPort } from './backends.ts';

/** The limit of a real cluster: older clients fail on larger objects. */
export const MAX_ADDRESSES = 1_000;

export interface Subsets {
  readonly subsets: readonly EndpointSubset[];
  /** Whether addresses were omitted. */
  readonly truncated: boolean;
}

export function subsetsOf(
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

/** The ready ones first, if there is not enough space for all. */
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
