/**
 * Distributes the endpoints of a service over its EndpointSlices: which ones change, are deleted or are created. Pure.
 *
 * - An endpoint stays in its slice, so that few slices change at a time.
 * - After the plan each endpoint is in exactly one slice, which has exactly the endpoint's ports.
 * - A slice holds at most MAX_ENDPOINTS; a service has at least one slice, which may be empty.
 * - A slice of another address type is deleted: the type of a slice is immutable.
 */
import type { Endpoint, EndpointPort, EndpointSlice } from 'kubernetes-types/discovery/v1.js';

import { sameJson } from '../../../../../src/controller/same-json.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import type { Expectations } from '../../../../../src/controller/expectations.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import type { OwnerReference, Resource } from '../../../../../src/kube/object.ts';
import { makeResource } from '../../../../../src/kube/resources.ts';

export const MAX_ENDPOINTS = 100;

export interface Placed {
  readonly ports: readonly EndpointPort[];
  readonly endpoint: Endpoint;
}

export interface WantedSlices {
  readonly addressType: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly endpoints: readonly Placed[];
}

export interface SlicePlan {
  readonly create: readonly SliceBody[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

export type SliceBody = Pick<EndpointSlice, 'addressType' | 'endpoints' | 'ports'>;

export function planSlices(wanted: WantedSlices, existing: readonly EndpointSlice[]): SlicePlan {
  const remove = existing.filter(({ addressType }) => addressType !== wanted.addressType);
  const usable = existing.filter(({ addressType }) => addressType === wanted.addressType);
  const groups = grouped(wanted.endpoints);
  const plans = [...groups].map(([id, group]) =>
    planGroup(
      { ...group, wanted },
      usable.filter((slice) => idOf(slice.ports ?? []) === id),
    ),
  );
  const stray = usable.filter((slice) => !groups.has(idOf(slice.ports ?? [])));
  return {
    create: plans.flatMap((plan) => plan.create),
    update: plans.flatMap((plan) => plan.update),
    remove: [...remove, ...stray, ...plans.flatMap((plan) => plan.remove)],
  };
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Endpoint[];
}

/** Endpoints by their ports. Without any endpoint there is one empty group without ports. */
function grouped(placed: readonly Placed[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const { ports, endpoint } of placed) {
    const id = idOf(ports);
    const group = groups.get(id) ?? { ports, endpoints: [] };
    group.endpoints.push(endpoint);
    groups.set(id, group);
  }
  if (groups.size === 0) groups.set(idOf([]), { ports: [], endpoints: [] });
  return groups;
}

function planGroup(
  { ports, endpoints, wanted }: Group & { readonly wanted: WantedSlices },
  slices: readonly EndpointSlice[],
): SlicePlan {
  const open = new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  const kept = slices.map((slice) => ({ slice, endpoints: takeKnown(slice, open) }));
  const rest = [...open.values()];
  for (const { endpoints: inSlice } of kept) {
    inSlice.push(...rest.splice(0, MAX_ENDPOINTS - inSlice.length));
  }
  const create: SliceBody[] = [];
  while (rest.length > 0) create.push(bodyOf(wanted, ports, rest.splice(0, MAX_ENDPOINTS)));
  const placeholder = endpoints.length === 0;
  const empty = kept.filter((each) => each.endpoints.length === 0);
  const spare = placeholder ? empty.slice(1) : empty;
  if (placeholder && kept.length === 0) create.push(bodyOf(wanted, ports, []));
  const update = kept
    .filter((each) => !spare.includes(each))
    .map((each) => ({ ...each.slice, ...bodyOf(wanted, ports, each.endpoints) }))
    .map((slice) => withLabels(slice, wanted))
    .filter((slice) => !sameSlice(slice, slices));
  return { create, update, remove: spare.map(({ slice }) => slice) };
}

/** Removes from `open` the endpoints that the slice already has. Returns their new states, from `open`. */
function takeKnown(slice: EndpointSlice, open: Map<string, Endpoint>): Endpoint[] {
  return slice.endpoints.flatMap((endpoint) => {
    const key = keyOf(endpoint);
    const found = open.get(key);
    open.delete(key);
    return found ?? [];
  });
}

function bodyOf(
  { addressType }: WantedSlices,
  ports: readonly EndpointPort[],
  endpoints: readonly Endpoint[],
): SliceBody {
  return { addressType, ports: [...ports], endpoints: [...endpoints] };
}

function withLabels(slice: EndpointSlice, { labels }: WantedSlices): EndpointSlice {
  return { ...slice, metadata: { ...slice.metadata, labels: { ...labels } } };
}

function sameSlice(next: EndpointSlice, slices: readonly EndpointSlice[]): boolean {
  const before = slices.find(({ metadata }) => metadata?.name === next.metadata?.name);
  if (before === undefined) return false;
  return sameJson(comparable(before), comparable(next));
}

function comparable({ metadata, endpoints, ports, addressType }: EndpointSlice): unknown {
  return { labels: metadata?.labels, endpoints, ports: ports ?? [], addressType };
}

function keyOf({ addresses, targetRef }: Endpoint): string {
  return JSON.stringify([addresses, targetRef?.uid ?? '']);
}

function idOf(ports: readonly EndpointPort[]): string {
  const plain = ports.map(({ name = '', port = 0, protocol = 'TCP', appProtocol = '' }) => [
    name,
    port,
    protocol,
    appProtocol,
  ]);
  return JSON.stringify(plain.map((each) => JSON.stringify(each)).toSorted());
}

/** Labels by which clients and controllers select Endpoints and EndpointSlices. */
export const HEADLESS = 'service.kubernetes.io/headless';
export const SERVICE_NAME = 'kubernetes.io/service-name';
export const SLICE_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

const RESERVED: readonly string[] = [
  HEADLESS,
  SERVICE_NAME,
  SLICE_MANAGED_BY,
  'endpoints.kubernetes.io/managed-by',
  'endpointslice.kubernetes.io/skip-mirror',
];

/** Labels of a service that are copied to its endpoints: all but those with a meaning for endpoints. */
export function withoutManaged(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !RESERVED.includes(name)));
}

export const endpointSlices: Resource<EndpointSlice> = makeResource({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
});

interface SliceWrite {
  readonly client: KubeClient;
  readonly expectations: Expectations;
  readonly key: string;
  readonly namespace: string;
  /** Name of the service or of the Endpoints object: the prefix of the slices' names. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: OwnerReference;
}

export async function writeSlices(write: SliceWrite, plan: SlicePlan): Promise<void> {
  const { client, expectations, key, namespace, name, labels, owner } = write;
  for (const body of plan.create) {
    const metadata = {
      generateName: `${name}-`,
      namespace,
      labels: { ...labels },
      ownerReferences: [owner],
    };
    await expectations.create(key, () => client.create(endpointSlices, { ...body, metadata }));
  }
  for (const slice of plan.update) await client.replace(endpointSlices, slice);
  for (const { metadata } of plan.remove) {
    await orNull(
      client.delete(endpointSlices, { namespace, name: metadata?.name ?? '' }),
      'NotFound',
    );
  }
}
