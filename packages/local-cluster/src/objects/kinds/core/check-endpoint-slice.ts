/**
 * Validates an endpoint slice: its type, addresses, names and ports. Loopback addresses, which a real server
 * refuses, are valid: pods of the local cluster have them.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, IMMUTABLE, invalid, invalidEach, required } from '../../field-errors.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../metadata-names.ts';
import { hasFormat } from '../../structural/formats.ts';
import { oneOf } from '../checks.ts';
import { objectsAt, textAt, textsAt } from '../../../../../../src/kube/fields.ts';
import { NO_ADDRESS, PROTOCOLS, specialAddressFaults } from './check-endpoints.ts';

const TYPES = ['FQDN', 'IPv4', 'IPv6'];
const ENDPOINTS_MAX = 1_000;
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;

export function checkEndpointSlice(
  slice: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const type = textAt(slice, 'addressType');
  const changed = old !== undefined && textAt(old, 'addressType') !== type;
  return [
    ...oneOf('addressType', type, TYPES),
    // As on a real server, the error omits the value.
    ...(changed ? [invalid('addressType', null, IMMUTABLE)] : []),
    ...checkEndpoints(objectsAt(slice, 'endpoints'), type),
    ...checkPorts(objectsAt(slice, 'ports')),
  ];
}

function checkEndpoints(endpoints: readonly JsonObject[], type: string): readonly FieldError[] {
  const field = 'endpoints';
  if (endpoints.length > ENDPOINTS_MAX) return [tooMany(field, endpoints.length, ENDPOINTS_MAX)];
  return endpoints.flatMap((endpoint, index) => {
    const where = `${field}[${index}]`;
    const names = [
      ['hostname', dnsLabel],
      ['nodeName', dnsSubdomain],
    ] as const;
    return [
      ...checkAddresses(textsAt(endpoint, 'addresses'), `${where}.addresses`, type),
      ...names.flatMap(([name, rule]) => {
        const value = textAt(endpoint, name);
        return value === '' ? [] : invalidEach(`${where}.${name}`, value, rule(value));
      }),
    ];
  });
}

function checkAddresses(
  addresses: readonly string[],
  field: string,
  type: string,
): readonly FieldError[] {
  if (addresses.length === 0) return [required(field)];
  if (addresses.length > ADDRESSES_MAX) return [tooMany(field, addresses.length, ADDRESSES_MAX)];
  return addresses.flatMap((address, index) => checkAddress(address, `${field}[${index}]`, type));
}

function checkAddress(address: string, field: string, type: string): readonly FieldError[] {
  if (!TYPES.includes(type)) return [];
  if (type === 'FQDN') return invalidEach(field, address, dnsSubdomain(address));
  const other = type === 'IPv4' ? 'ipv6' : 'ipv4';
  if (hasFormat(address, other)) {
    const list = field.replace(/\[\d+\]$/, '');
    return [invalid(list, address, `must be an ${type} address`)];
  }
  if (!hasFormat(address, type.toLowerCase())) return [invalid(field, address, NO_ADDRESS)];
  return invalidEach(field, address, specialAddressFaults(address));
}

function checkPorts(ports: readonly JsonObject[]): readonly FieldError[] {
  const field = 'ports';
  if (ports.length > PORTS_MAX) return [tooMany(field, ports.length, PORTS_MAX)];
  const names = ports.map((port) => textAt(port, 'name'));
  return ports.flatMap((port, index) => {
    const where = `${field}[${index}]`;
    const name = names[index] ?? '';
    const application = textAt(port, 'appProtocol');
    return [
      ...(name === '' ? [] : invalidEach(`${where}.name`, name, dnsLabel(name))),
      ...(names.indexOf(name) < index ? [duplicate(`${where}.name`, name)] : []),
      ...oneOf(`${where}.protocol`, textAt(port, 'protocol'), PROTOCOLS),
      ...(application === ''
        ? []
        : invalidEach(`${where}.appProtocol`, application, qualifiedName(application))),
    ];
  });
}

function tooMany(field: string, value: number, max: number): FieldError {
  return { type: 'TooMany', field, value, detail: `must have at most ${max} items` };
}
