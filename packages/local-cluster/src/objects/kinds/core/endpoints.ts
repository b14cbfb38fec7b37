/** The addresses of a service's pods, as Endpoints and as EndpointSlices. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, NAME, text, textField } from '../columns.ts';
import {
  fill,
  listAt,
  numberAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { checkEndpoints, checkEndpointSlice } from './check-endpoints.ts';

const SHOWN_MAX = 3;

export const endpoints: KindSpec = {
  ...inNamespace('v1', 'Endpoints', 'ep'),
  plural: 'endpoints',
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  columns: [NAME, text('Endpoints', shownAddresses), AGE],
  fill(draft) {
    for (const port of objectsAt(draft, 'subsets').flatMap((set) => objectsAt(set, 'ports'))) {
      fill(port, 'protocol', 'TCP');
    }
  },
  check: checkEndpoints,
};

export const endpointSlice: KindSpec = {
  ...inNamespace('discovery.k8s.io/v1', 'EndpointSlice'),
  generationOf: ['metadata.labels', 'addressType', 'endpoints', 'ports'],
  onCreate: haveEndpoints,
  onUpdate: haveEndpoints,
  columns: [
    NAME,
    textField('AddressType', 'addressType'),
    text('Ports', (slice) =>
      some(
        objectsAt(slice, 'ports').map((port) => String(numberAt(port, 'port') ?? '*')),
        '<unset>',
      ),
    ),
    text('Endpoints', (slice) =>
      some(
        objectsAt(slice, 'endpoints').flatMap((entry) => textsAt(entry, 'addresses')),
        '<unset>',
      ),
    ),
    AGE,
  ],
  fill(draft) {
    for (const port of objectsAt(draft, 'ports')) {
      port['name'] ??= '';
      fill(port, 'protocol', 'TCP');
    }
  },
  check: checkEndpointSlice,
};

/** The list is never absent: clients rely on it. */
function haveEndpoints(draft: JsonObject): void {
  draft['endpoints'] ??= [];
}

function shownAddresses(object: JsonObject): string {
  const all = objectsAt(object, 'subsets').flatMap((set) => {
    const addresses = objectsAt(set, 'addresses').map((entry) => textAt(entry, 'ip'));
    if (listAt(set, 'ports').length === 0) return addresses;
    return objectsAt(set, 'ports').flatMap((port) =>
      addresses.map((address) => `${bracketed(address)}:${numberAt(port, 'port') ?? 0}`),
    );
  });
  return some(all, '<none>');
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function some(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, SHOWN_MAX).join(',');
  return items.length > SHOWN_MAX ? `${shown} + ${items.length - SHOWN_MAX} more...` : shown;
}
