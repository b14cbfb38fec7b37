/** Defines and checks the two kinds with the addresses of a service's pods: Endpoints and EndpointSlice. */
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
import { type FieldError, IMMUTABLE, invalid, invalidEach, required } from '../../field-error.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../metadata-names.ts';
import { hasFormat } from '../../structural/formats.ts';
import {
  atMost,
  duplicateIf,
  form,
  ifSet,
  isRepeated,
  needed,
  oneOf,
  port,
} from '../field-checks.ts';
import { type Check, checkObject, each, fields } from '../field-rules.ts';

const SHOWN_MAX = 3;

export const endpoints: KindSpec = {
  ...inNamespace('v1', 'Endpoints', 'ep'),
  plural: 'endpoints',
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  columns: [NAME, text('Endpoints', shownAddresses), AGE],
  fill(draft) {
    for (const item of objectsAt(draft, 'subsets').flatMap((set) => objectsAt(set, 'ports'))) {
      fill(item, 'protocol', 'TCP');
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
        objectsAt(slice, 'ports').map((item) => String(numberAt(item, 'port') ?? '*')),
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
    for (const item of objectsAt(draft, 'ports')) {
      item['name'] ??= '';
      fill(item, 'protocol', 'TCP');
    }
  },
  check: checkEndpointSlice,
};

/** Sets the field `endpoints`, to an empty list if it is absent: clients rely on the field. */
function haveEndpoints(draft: JsonObject): void {
  draft['endpoints'] ??= [];
}

function shownAddresses(object: JsonObject): string {
  const all = objectsAt(object, 'subsets').flatMap((set) => {
    const addresses = objectsAt(set, 'addresses').map((entry) => textAt(entry, 'ip'));
    if (listAt(set, 'ports').length === 0) return addresses;
    return objectsAt(set, 'ports').flatMap((item) =>
      addresses.map((address) => `${bracketed(address)}:${numberAt(item, 'port') ?? 0}`),
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

/** Prefixes of special addresses in their shortest form, each with its error. */
const SPECIAL: readonly (readonly [RegExp, string])[] = [
  [
    /^(169\.254\.|fe[89ab][0-9a-f]:)/,
    'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  [
    /^(224\.0\.0\.|ff02:)/,
    'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
];

const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

function addressFaults(ip: string): readonly string[] {
  if (!hasFormat(ip, 'ipv4') && !hasFormat(ip, 'ipv6')) {
    // A real server reports an invalid address twice, with different texts.
    return [NO_ADDRESS, 'must be a valid IP address'];
  }
  return specialAddressFaults(ip);
}

/** Errors of an address that cannot be one machine's address in a network. */
function specialAddressFaults(ip: string): readonly string[] {
  const shortest = ip.includes(':') ? new URL(`http://[${ip}]/`).hostname.slice(1, -1) : ip;
  if (shortest === '0.0.0.0' || shortest === '::') return [`may not be unspecified (${ip})`];
  return SPECIAL.filter(([range]) => range.test(shortest)).map(([, fault]) => fault);
}

/** A port must have a name if the list has several ports. */
export const nameOfPort: Check = (name, field, place) => {
  if (textAt(name) !== '') return form(dnsLabel)(name, field, place);
  return place.list.length > 1 ? [required(field)] : [];
};

export const PROTOCOL: Check = oneOf('SCTP', 'TCP', 'UDP');

const ADDRESS = fields(
  ['hostname', ifSet(form(dnsLabel))],
  ['nodeName', ifSet(form(dnsSubdomain))],
  ['ip', form(addressFaults)],
);

const SUBSET = fields(
  [
    '',
    (set, field) =>
      objectsAt(set, 'addresses').length + objectsAt(set, 'notReadyAddresses').length === 0
        ? [required(field, 'must specify `addresses` or `notReadyAddresses`')]
        : [],
  ],
  ['{addresses,notReadyAddresses}[]', ADDRESS],
  ['ports[]', fields(['name', nameOfPort], ['port', port], ['protocol', PROTOCOL])],
);

const ENDPOINTS = fields(['subsets[]', SUBSET]);

/** Accepts loopback addresses, unlike a real server, because pods of the local cluster have them. */
export function checkEndpoints(object: JsonObject): readonly FieldError[] {
  return checkObject(ENDPOINTS, object, { scope: {} });
}

const TYPES = ['FQDN', 'IPv4', 'IPv6'];

interface SliceScope {
  readonly type: string;
  /** Address type of the stored slice; undefined for a new slice. */
  readonly oldType: string | undefined;
}

const addressOfType: Check<SliceScope> = (value, field, { scope: { type } }) => {
  const address = textAt(value);
  if (!TYPES.includes(type)) return [];
  if (type === 'FQDN') return invalidEach(field, address, dnsSubdomain(address));
  if (hasFormat(address, type === 'IPv4' ? 'ipv6' : 'ipv4')) {
    return [invalid(field.replace(/\[\d+\]$/, ''), address, `must be an ${type} address`)];
  }
  if (!hasFormat(address, type.toLowerCase())) return [invalid(field, address, NO_ADDRESS)];
  return invalidEach(field, address, specialAddressFaults(address));
};

const ENDPOINT = fields<SliceScope>(
  ['addresses', needed(), atMost(100), each(addressOfType)],
  ['hostname', ifSet(form(dnsLabel))],
  ['nodeName', ifSet(form(dnsSubdomain))],
);

const PORT = fields(
  ['name', ifSet(form(dnsLabel))],
  ['name', duplicateIf(isRepeated('name'))],
  ['protocol', PROTOCOL],
  ['appProtocol', ifSet(form(qualifiedName))],
);

const SLICE = fields<SliceScope>(
  ['addressType', oneOf(...TYPES)],
  [
    'addressType',
    // As on a real server, the error has no value.
    (type, field, { scope: { oldType } }) =>
      oldType === undefined || oldType === textAt(type) ? [] : [invalid(field, null, IMMUTABLE)],
  ],
  ['endpoints', atMost(1_000), each(ENDPOINT)],
  ['ports', atMost(20_000), each(PORT)],
);

export function checkEndpointSlice(
  slice: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const oldType = old === undefined ? undefined : textAt(old, 'addressType');
  return checkObject(SLICE, slice, { scope: { type: textAt(slice, 'addressType'), oldType } });
}
