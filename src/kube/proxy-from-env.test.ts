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
  ['https://notexample.com', 'example.com', true],
  ['https://k.example.com:6443', 'example.com:6443', false],
  ['https://k.example.com:6443', 'example.com:443', true],
  ['https://10.96.0.1', '10.0.0.0/8', false],
  ['https://11.96.0.1', '10.0.0.0/8', true],
  ['https://10.96.0.1', '10.96.0.1', false],
  ['https://k.example.com', '10.0.0.0/8', true],
])('proxyFromEnv: %s with NO_PROXY %j goes through a proxy: %s', (server, noProxy, expected) => {
  expect(proxied(server, noProxy)).toBe(expected);
});
