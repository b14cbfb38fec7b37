import { expect, it } from 'vitest';

import { proxyFromEnv } from './proxy-from-env.ts';

const proxied = (server: string, noProxy = ''): boolean =>
  proxyFromEnv(server, { https_proxy: 'http://p:1', NO_PROXY: noProxy }) !== undefined;

it.each([
  ['https://k.example.com', '', true],
  ['http://k.example.com', '', false],
  ['https://127.0.0.1:6443', '', false],
  ['https://localhost:6443', '', false],
  ['https://[::1]:6443', '', false],
  ['https://k.example.com', '*', false],
  ['https://k.example.com', 'other.com, example.com', false],
  ['https://k.example.com', '.example.com', false],
  ['https://example.com', '.example.com', true],
  ['https://k.example.com', '*.example.com', false],
  ['https://example.com', '*.example.com', true],
  ['https://notexample.com', 'example.com', true],
  ['https://k.example.com:6443', 'example.com:6443', false],
  ['https://k.example.com:6443', 'example.com:443', true],
  ['https://10.96.0.1', '10.0.0.0/8', false],
  ['https://11.96.0.1', '10.0.0.0/8', true],
  ['https://10.96.0.1', '10.96.0.1', false],
  ['https://k.example.com', '10.0.0.0/8', true],
  ['https://[fd00:10:96::1]', 'fd00::/8', false],
  ['https://[fd00:10:96::1]', 'FD00:0010:0096:0::/60', false],
  ['https://[fd00:10:96::1]', 'fd00:10:97::/48', true],
  ['https://[fd00:10:96::1]', 'fd00::/129', true],
  ['https://[fd00:10:96::1]', '::/0', false],
  ['https://[fd00:10:96::1]', '0.0.0.0/0', true],
  ['https://10.96.0.1', '::/0', true],
  ['https://[fd00:10:96::1]', 'fd00:10:96:0:0:0:0:1', false],
  ['https://[fd00:10:96::1]:6443', '[fd00:10:96::1]:6443', false],
  ['https://[fd00:10:96::1]:6443', '[fd00:10:96::1]:443', true],
])('proxyFromEnv: %s with NO_PROXY %j goes through a proxy: %s', (server, noProxy, expected) => {
  expect(proxied(server, noProxy)).toBe(expected);
});

it('an empty variable counts as absent: the one in the other case is used', () => {
  const empty = {
    HTTPS_PROXY: '',
    https_proxy: 'http://p:1',
    NO_PROXY: '',
    no_proxy: 'example.com',
  };
  expect(proxyFromEnv('https://k.io', empty)).toBe('http://p:1');
  expect(proxyFromEnv('https://example.com', empty)).toBeUndefined();
});

it.each(['http://me:pa/ss@p:1', 'me:pa/ss@p:1', 'socks5://me:pa#s?s@p:1'])(
  'the message about the proxy %s shows no part of its password',
  (proxy) => {
    const use = (): unknown => proxyFromEnv('https://k.io', { HTTPS_PROXY: proxy });
    expect(use).toThrow(/LHK008.*\*\*\*@p:1/);
    expect(use).not.toThrow(/pa|ss@/);
  },
);
