import { expect, it } from 'vitest';

import { allowedHosts } from './allowed-hosts.ts';

it.each<[string, readonly string[], readonly string[]]>([
  [
    'db.shop.svc',
    ['db.shop.svc', 'DB.shop.svc.'],
    ['shop.svc', 'x.db.shop.svc', 'db.shop.svc.evil'],
  ],
  ['*.shop.svc', ['db.shop.svc', 'a.b.shop.svc'], ['shop.svc', 'xshop.svc', 'db.shop.svc.evil']],
  ['10.0.0.7', ['10.0.0.7'], ['10.0.0.8', '::ffff:10.0.0.7', 'db']],
  ['10.1.0.0/16', ['10.1.2.3'], ['10.2.0.1', '10.1.2.3.nip.io']],
  ['fd00::/8', ['fd12::1', 'FD00:0::1'], ['fe80::1', '::1']],
])('the entry %s allows %j and not %j', (entry, allowed, others) => {
  const isAllowed = allowedHosts(['unrelated', entry]);
  expect(allowed.filter((host) => !isAllowed(host))).toEqual([]);
  expect(others.filter((host) => isAllowed(host))).toEqual([]);
});

it('an empty list allows nothing', () => {
  expect(allowedHosts([])('db')).toBe(false);
});

it.each([
  '',
  '*',
  '*.',
  'http://db',
  'db:80',
  'a b',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '2130706433',
  '127.1',
  '0x7f000001',
  '-x',
])('%j is no entry', (entry) => {
  expect(() => allowedHosts(['db', entry])).toThrow('is required');
});
