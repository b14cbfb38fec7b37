/**
 * Reads and sets the cluster IP and the node ports of a service.
 *
 * The caller owns the ranges and knows which values are taken. Between `prepare` and `validate` the caller reads what a
 * service needs, and sets the allocated values.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { hasFormat } from '../../structural/formats.ts';
import {
  fieldsAt,
  fillObject,
  objectsAt,
  numberAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

const HEADLESS = 'None';

/** True if a cluster IP must be allocated. A headless service and one of type ExternalName need none. */
export function needsClusterIP(service: JsonObject): boolean {
  return (
    textAt(service, 'spec', 'type') !== 'ExternalName' &&
    textAt(service, 'spec', 'clusterIP') === ''
  );
}

export function withClusterIP(service: JsonObject, address: string): JsonObject {
  const draft = structuredClone(service);
  const spec = fillObject(draft, 'spec');
  spec['clusterIP'] = address;
  spec['clusterIPs'] = [address];
  return draft;
}

/** The cluster IP that the service has or names; '' if it has none. */
export function clusterIPOf(service: JsonObject): string {
  const address = textAt(service, 'spec', 'clusterIP');
  return address === HEADLESS ? '' : address;
}

export function isAddress(text: string): boolean {
  return hasFormat(text, 'ipv4') || hasFormat(text, 'ipv6');
}

/** True if the ports of a service with this spec may have node ports. */
export function hasNodePorts(spec: JsonObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(textAt(spec, 'type'));
}

/** Number of node ports to allocate for ports that name none. A load balancer may need none. */
export function missingNodePorts(service: JsonObject): number {
  const spec = fieldsAt(service, 'spec');
  const isRefused =
    textAt(spec, 'type') === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] === false;
  if (!hasNodePorts(spec) || isRefused) return 0;
  return objectsAt(service, 'spec', 'ports').filter(
    (port) => (numberAt(port, 'nodePort') ?? 0) === 0,
  ).length;
}

/** Gives each port without a node port the next one of `nodePorts`. */
export function withNodePorts(service: JsonObject, nodePorts: readonly number[]): JsonObject {
  const draft = structuredClone(service);
  const free = [...nodePorts];
  for (const port of objectsAt(fieldsAt(draft, 'spec'), 'ports')) {
    const given = numberAt(port, 'nodePort') ?? 0;
    const next = given === 0 ? free.shift() : undefined;
    if (next !== undefined) port['nodePort'] = next;
  }
  return draft;
}
