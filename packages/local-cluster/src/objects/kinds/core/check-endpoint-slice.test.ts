import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkEndpointSlice } from './endpoints.ts';

const faults = (slice: JsonObject, old?: JsonObject): string[] =>
  checkEndpointSlice({ addressType: 'IPv4', ...slice }, old).map(fieldErrorMessage);

const at = (...addresses: string[]): JsonObject => ({ endpoints: [{ addresses }] });

describe('an endpoint slice', () => {
  it('has addresses of its type, also on the loopback device', () => {
    expect(faults(at('127.0.0.1', '192.0.2.1'))).toEqual([]);
    expect(faults({ ...at('2001:db8::1'), addressType: 'IPv6' })).toEqual([]);
    expect(faults({ ...at('a.example.com'), addressType: 'FQDN' })).toEqual([]);
    expect(faults({ ...at('192.0.2.1'), addressType: 'IPv6' })).toEqual([
      'endpoints[0].addresses: Invalid value: "192.0.2.1": must be an IPv6 address',
    ]);
    expect(faults(at('169.254.0.1'))).toEqual([
      'endpoints[0].addresses[0]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ]);
  });

  it('has at most 1 000 endpoints, of at most 100 addresses each', () => {
    const many = (length: number, item: unknown): never[] =>
      Array.from({ length }, () => item) as [];
    expect(faults(at(...many(100, '192.0.2.1')))).toEqual([]);
    expect(faults(at(...many(101, '192.0.2.1')))).toHaveLength(1);
    expect(faults({ endpoints: many(1_000, { addresses: ['192.0.2.1'] }) })).toEqual([]);
    expect(faults({ endpoints: many(1_001, { addresses: ['192.0.2.1'] }) })).toEqual([
      'endpoints: Too many: 1001: must have at most 1000 items',
    ]);
  });

  it('has ports with different names, of which one may be empty', () => {
    const port = (name: string): JsonObject => ({ name, protocol: 'TCP' });
    expect(faults({ ports: [port(''), port('a')] })).toEqual([]);
    expect(faults({ ports: [port(''), port('')] })).toEqual(['ports[1].name: Duplicate value: ""']);
  });

  it('keeps its type of addresses', () => {
    expect(faults({}, { addressType: 'IPv4' })).toEqual([]);
    expect(faults({}, { addressType: 'IPv6' })).toEqual([
      'addressType: Invalid value: null: field is immutable',
    ]);
  });
});
