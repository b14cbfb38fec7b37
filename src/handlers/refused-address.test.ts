import { describe, expect, it } from 'vitest';

import { whyRefusedAddress } from './refused-address.ts';

describe('an address is refused', () => {
  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['127.255.255.254', 'a loopback address'],
    ['0.0.0.0', 'an address of this machine'],
    ['0.1.2.3', 'an address of this machine'],
    ['169.254.169.254', 'a metadata service'],
    ['169.254.20.10', 'a link-local address'],
    ['100.100.100.200', 'a metadata service'],
    ['168.63.129.16', 'a metadata service'],
    ['224.0.0.1', 'a multicast address'],
    ['255.255.255.255', 'a reserved address'],
    ['::', 'an address of this machine'],
    ['::1', 'a loopback address'],
    ['0:0:0:0:0:0:0:1', 'a loopback address'],
    ['fe80::1', 'a link-local address'],
    ['fe80::1%eth0', 'a link-local address'],
    ['febf::1', 'a link-local address'],
    ['fe80:1:2:3:4:5:6:7', 'a link-local address'],
    ['fd00:ec2::254', 'a metadata service'],
    ['fd00:ec2::23', 'a metadata service'],
    ['fd00:42::42', 'a metadata service'],
    ['fd00:c1::a9fe:a9fe', 'a metadata service'],
    ['ff02::1', 'a multicast address'],
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['::ffff:7f00:1', 'a loopback address'],
    ['::ffff:169.254.169.254', 'a metadata service'],
    ['::ffff:0:127.0.0.1', 'a loopback address'],
    ['64:ff9b::a9fe:a9fe', 'a metadata service'],
    ['2002:7f00:1::', 'a loopback address'],
    ['::127.0.0.1', 'a loopback address'],
    ['localhost', 'no IP address'],
    ['127.1', 'no IP address'],
    ['127.0.0.1x', 'no IP address'],
    ['8.8.8.8.8', 'no IP address'],
    ['256.1.1.1', 'no IP address'],
    ['010.0.0.7', 'no IP address'],
    ['1::2::3', 'no IP address'],
  ])('%s: %s', (address, what) => {
    expect(whyRefusedAddress(address)).toBe(what);
  });
});

it.each([
  '10.0.0.7',
  '192.168.1.1',
  '172.16.0.1',
  '8.8.8.8',
  '169.253.0.1',
  'fd00::7',
  '2001:db8::1',
  '::ffff:10.0.0.7',
  'fec0::1',
])('the address %s is not refused', (address) => {
  expect(whyRefusedAddress(address)).toBeNull();
});
