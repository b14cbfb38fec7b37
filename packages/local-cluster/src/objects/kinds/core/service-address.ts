/**
 * A service's address. The caller owns the range and knows which addresses are taken: it asks what a
 * service needs, and puts what it found into the object, between `prepare` and `validate`.
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

/** True: give it an address of the range; a headless service and a mere name have none. */
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

/** The address to mark as taken, or to give back when the service is gone; '' for none. */
export function clusterIPOf(service: JsonObject): string {
  const address = textAt(service, 'spec', 'clusterIP');
  return address === HEADLESS ? '' : address;
}

export function isAddress(text: string): boolean {
  return hasFormat(text, 'ipv4') || hasFormat(text, 'ipv6');
}

/** How many ports of the node it needs besides those it names. */
export function missingNodePorts(service: JsonObject): number {
  const type = textAt(service, 'spec', 'type');
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  return objectsAt(service, 'spec', 'ports').filter(
    (port) => (numberAt(port, 'nodePort') ?? 0) === 0,
  ).length;
}

/** Fills the ports that name no node port, in their order. */
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
