import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkEndpoints } from './endpoints.ts';

const faults = (...subsets: JsonObject[]): string[] =>
  checkEndpoints({ subsets }).map(fieldErrorMessage);

const at = (ip: string): JsonObject => ({ addresses: [{ ip }] });

describe('endpoints', () => {
  it('may be absent, without ports, not ready, and in the loopback range of our pods', () => {
    expect(faults()).toEqual([]);
    expect(faults(at('127.10.0.1'), at('::1'))).toEqual([]);
    expect(faults(at('10.0.0.1'), at('2001:db8::1'))).toEqual([]);
    expect(faults({ notReadyAddresses: [{ ip: '10.0.0.1', nodeName: 'node-1' }] })).toEqual([]);
  });

  it('have an address in each subset', () => {
    expect(faults({ ports: [{ port: 80, protocol: 'TCP' }] })).toEqual([
      'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
    ]);
  });

  it.each([
    ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
    ['0::0', 'may not be unspecified (0::0)'],
    ['169.254.1.1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['FE80::1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['224.0.0.7', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ])('have no unspecified, link-local or multicast address: %s', (ip, fault) => {
    expect(faults(at(ip))).toEqual([
      `subsets[0].addresses[0].ip: Invalid value: ${JSON.stringify(ip)}: ${fault}`,
    ]);
  });

  it('have valid IP addresses', () => {
    expect(faults(at('here'))).toHaveLength(2);
    expect(faults(at('10.0.0.256'))).toHaveLength(2);
  });

  it('have names for several ports, and valid port numbers and protocols', () => {
    const ports = [
      { port: 1, protocol: 'TCP' },
      { port: 0, protocol: 'x', name: 'a' },
    ];
    expect(faults({ ...at('10.0.0.1'), ports })).toEqual([
      'subsets[0].ports[0].name: Required value',
      'subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'subsets[0].ports[1].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
    ]);
  });
});
