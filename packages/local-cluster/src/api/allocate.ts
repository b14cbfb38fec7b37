/**
 * Allocates the cluster IPs and node ports of services, each to one service at a time.
 *
 * The stored services show which values are taken; the values of a pending write are reserved until its end. Cluster
 * IPs are loopback addresses, 127.96.x.y unless configured. On Linux all of 127.0.0.0/8 exists without set-up.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { FieldError } from '../objects/field-error.ts';
import {
  clusterIPOf,
  isAddress,
  missingNodePorts,
  needsClusterIP,
  withClusterIP,
  withNodePorts,
} from '../objects/kinds/core/service-address.ts';
import { numberAt, objectsAt, textAt } from '../../../../src/kube/fields.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { internalError, invalid } from './status.ts';

const DEFAULT_RANGE = '127.96.';
/** The first 255 addresses are reserved for services that name their cluster IP. */
const FIRST_ADDRESS = 256;
const LAST_ADDRESS = 65_534;
export const KUBERNETES_SERVICE_IP: string = kubernetesServiceIp(DEFAULT_RANGE);

/** The address at which pods reach the API server. */
export function kubernetesServiceIp(range: string): string {
  return `${range}0.1`;
}

const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;

export interface AllocationOf {
  /** The stored service on update; omitted on create. */
  readonly old?: JsonObject;
  readonly dryRun?: boolean;
}

export interface Allocation {
  readonly object: JsonObject;
  /** Ends the reservation. Call it once the write has succeeded or failed. */
  release(): void;
}

export class ServiceAllocator {
  readonly #store: ObjectStore;
  readonly #range: string;
  readonly #held = new Set<string>();

  /** `range`: the first two numbers of all addresses, with the final dot, such as "127.96." */
  constructor(store: ObjectStore, range: string = DEFAULT_RANGE) {
    this.#store = store;
    this.#range = range;
  }

  /** Throws if the address or port that the object names is not available. */
  allocate(definition: ResourceDefinition, object: JsonObject, how: AllocationOf): Allocation {
    if (definition.storageName !== 'services') return { object, release: () => undefined };
    const others = this.#store
      .list('services')
      .map((stored) => stored.object)
      .filter((other) => textAt(other, 'metadata', 'uid') !== textAt(object, 'metadata', 'uid'));
    const taken = new Set([...others.flatMap(resourcesOf), ...this.#held]);
    refuseTaken(definition, object, {
      range: this.#range,
      taken,
      old: how.old,
    });
    const inUse = new Set([...taken, ...resourcesOf(object), ...resourcesOf(how.old ?? {})]);
    const complete = complement(object, { range: this.#range, taken: inUse });
    if (how.old === undefined && how.dryRun !== true) refuseNameless(definition, complete, object);
    const held = resourcesOf(complete).filter((resource) => !this.#held.has(resource));
    for (const resource of held) this.#held.add(resource);
    return {
      object: complete,
      release: () => {
        for (const resource of held) this.#held.delete(resource);
      },
    };
  }
}

/** Cluster IP and node ports of a service, as keys of one set; a port's key has its protocol. */
function resourcesOf(service: JsonObject): string[] {
  const address = clusterIPOf(service);
  const ports = objectsAt(service, 'spec', 'ports').flatMap((port) => {
    const nodePort = numberAt(port, 'nodePort') ?? 0;
    return nodePort === 0 ? [] : [portKey(nodePort, textAt(port, 'protocol'))];
  });
  return address === '' ? ports : [address, ...ports];
}

function portKey(port: number, protocol: string): string {
  return `${port}/${protocol === '' ? 'TCP' : protocol}`;
}

interface Taken {
  readonly range: string;
  readonly taken: ReadonlySet<string>;
  /** The stored service; undefined on create. The new one may keep its addresses and ports, even those out of range. */
  readonly old: JsonObject | undefined;
}

function refuseTaken(
  definition: ResourceDefinition,
  service: JsonObject,
  { range, taken, old = {} }: Taken,
): void {
  const own = resourcesOf(old);
  // A cluster IP that was allocated before needs no check here: validation refuses to change it.
  const addresses = clusterIPOf(old) === '' ? addressFaults(service, range) : [];
  const named = [...addresses, ...portFaults(service)];
  const wrong = named.flatMap(({ key, outside, inUse }, index) => {
    // An earlier port of this service names the same node port.
    if (named.findIndex((one) => one.key === key) < index) return [inUse];
    if (own.includes(key)) return [];
    if (outside !== null) return [outside];
    return taken.has(key) ? [inUse] : [];
  });
  if (wrong.length > 0) throw invalid(definition, textAt(service, 'metadata', 'name'), wrong);
}

/** Refuses a service without a name. A real server stores the cluster IP under that name before it validates. */
function refuseNameless(
  definition: ResourceDefinition,
  complete: JsonObject,
  given: JsonObject,
): void {
  const address = clusterIPOf(complete);
  if (address === '' || textAt(complete, 'metadata', 'name') !== '') return;
  const asked = clusterIPOf(given);
  const why = `IPAddress.networking.k8s.io "${address}" is invalid: spec.parentRef.name: Required value`;
  const detail = `failed to allocate IP${asked === '' ? '' : ` ${asked}`}: ${why}`;
  throw invalid(definition, '', [
    { type: 'Invalid', field: 'spec.clusterIPs', value: [asked], detail },
  ]);
}

interface Candidate {
  readonly key: string;
  readonly outside: FieldError | null;
  readonly inUse: FieldError;
}

function addressFaults(service: JsonObject, range: string): Candidate[] {
  const key = clusterIPOf(service);
  // Validation reports addresses that are invalid.
  if (!isAddress(key)) return [];
  const fault = (why: string): FieldError => ({
    type: 'Invalid',
    field: 'spec.clusterIPs',
    value: [key],
    detail: `failed to allocate IP ${key}: ${why}`,
  });
  const within = new RegExp(`^${range.replaceAll('.', '\\.')}\\d{1,3}\\.\\d{1,3}$`).test(key);
  const outside = within
    ? null
    : fault(
        `the provided IP (${key}) is not in the valid range. The range of valid IPs is ${range}0.0/16`,
      );
  return [{ key, outside, inUse: fault('provided IP is already allocated') }];
}

function portFaults(service: JsonObject): Candidate[] {
  return objectsAt(service, 'spec', 'ports').flatMap((port, index) => {
    const nodePort = numberAt(port, 'nodePort') ?? 0;
    if (nodePort === 0) return [];
    const fault = (detail: string): FieldError => ({
      type: 'Invalid',
      field: `spec.ports[${index}].nodePort`,
      value: nodePort,
      detail,
    });
    const within = nodePort >= FIRST_NODE_PORT && nodePort <= LAST_NODE_PORT;
    const range = `${FIRST_NODE_PORT}-${LAST_NODE_PORT}`;
    const says = `provided port is not in the valid range. The range of valid ports is ${range}`;
    const key = portKey(nodePort, textAt(port, 'protocol'));
    return [
      {
        key,
        outside: within ? null : fault(says),
        inUse: fault('provided port is already allocated'),
      },
    ];
  });
}

function complement(
  service: JsonObject,
  { range, taken }: Pick<Taken, 'range' | 'taken'>,
): JsonObject {
  const addressed = needsClusterIP(service)
    ? withClusterIP(service, freeAddress(range, taken))
    : service;
  const missing = missingNodePorts(addressed);
  return missing === 0 ? addressed : withNodePorts(addressed, freePorts(taken, missing));
}

function freeAddress(range: string, taken: ReadonlySet<string>): string {
  for (let number = FIRST_ADDRESS; number <= LAST_ADDRESS; number += 1) {
    const address = `${range}${number >>> 8}.${number & 0xff}`;
    if (!taken.has(address)) return address;
  }
  throw internalError('failed to allocate a serviceIP: range is full');
}

/** The first free node ports. A free port is free for all protocols. */
function freePorts(taken: ReadonlySet<string>, count: number): number[] {
  const ports: number[] = [];
  for (let port = FIRST_NODE_PORT; port <= LAST_NODE_PORT; port += 1) {
    if (ports.length === count) return ports;
    const free = ['TCP', 'UDP', 'SCTP'].every((protocol) => !taken.has(portKey(port, protocol)));
    if (free) ports.push(port);
  }
  if (ports.length === count) return ports;
  throw internalError('failed to allocate a nodePort: range is full');
}
