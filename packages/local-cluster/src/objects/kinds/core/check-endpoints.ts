/**
 * Checks endpoints: subsets without addresses, special addresses, and ports. Loopback addresses, which a real server
 * refuses, are valid: pods of the local cluster have them.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalidEach, required } from '../../field-errors.ts';
import { dnsLabel, dnsSubdomain } from '../../metadata-names.ts';
import { hasFormat } from '../../structural/formats.ts';
import { oneOf, portNumber } from '../checks.ts';
import { numberAt, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';

export const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

export function checkEndpoints(object: JsonObject): readonly FieldError[] {
  return objectsAt(object, 'subsets').flatMap((set, index) => checkSet(set, `subsets[${index}]`));
}

function checkSet(set: JsonObject, field: string): readonly FieldError[] {
  const lists = ['addresses', 'notReadyAddresses'];
  const ports = objectsAt(set, 'ports');
  return [
    ...(lists.every((list) => objectsAt(set, list).length === 0)
      ? [required(field, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...lists.flatMap((list) =>
      objectsAt(set, list).flatMap((address, index) =>
        checkAddress(address, `${field}.${list}[${index}]`),
      ),
    ),
    ...ports.flatMap((port, index) =>
      checkPort(port, `${field}.ports[${index}]`, ports.length > 1),
    ),
  ];
}

function checkAddress(address: JsonObject, field: string): readonly FieldError[] {
  const ip = textAt(address, 'ip');
  const hostname = textAt(address, 'hostname');
  const nodeName = textAt(address, 'nodeName');
  return [
    ...invalidEach(`${field}.hostname`, hostname, hostname === '' ? [] : dnsLabel(hostname)),
    ...invalidEach(`${field}.nodeName`, nodeName, nodeName === '' ? [] : dnsSubdomain(nodeName)),
    ...invalidEach(`${field}.ip`, ip, addressFaults(ip)),
  ];
}

/** Prefixes of addresses in their shortest form. */
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

export const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

function addressFaults(ip: string): readonly string[] {
  if (!hasFormat(ip, 'ipv4') && !hasFormat(ip, 'ipv6')) {
    // A real server reports it twice, with different texts.
    return [NO_ADDRESS, 'must be a valid IP address'];
  }
  return specialAddressFaults(ip);
}

/** The errors of an address that is not the address of one machine in the network. */
export function specialAddressFaults(ip: string): readonly string[] {
  const shortest = ip.includes(':') ? new URL(`http://[${ip}]/`).hostname.slice(1, -1) : ip;
  if (shortest === '0.0.0.0' || shortest === '::') return [`may not be unspecified (${ip})`];
  return SPECIAL.filter(([range]) => range.test(shortest)).map(([, fault]) => fault);
}

function checkPort(port: JsonObject, field: string, needsName: boolean): readonly FieldError[] {
  const name = textAt(port, 'name');
  return [
    ...(name === ''
      ? [required(`${field}.name`)].filter(() => needsName)
      : invalidEach(`${field}.name`, name, dnsLabel(name))),
    ...portNumber(`${field}.port`, numberAt(port, 'port') ?? 0),
    ...oneOf(`${field}.protocol`, textAt(port, 'protocol'), PROTOCOLS),
  ];
}
