import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

import { judgedLookup, nodeNetwork } from './network.ts';

const { signal } = new AbortController();

it('connects to an address that was judged, and asks once about each', async () => {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const whyRefused = (address: string): string | null => {
    asked.push(address);
    return null;
  };
  await nodeNetwork.tcpConnect({ host: 'localhost', port, signal, whyRefused });
  expect(asked).toContain('127.0.0.1');
  expect(new Set(asked).size).toBe(asked.length);
});

it('refuses a name when one of its addresses is refused', async () => {
  const whyRefused = (address: string): string | null => (address === '::2' ? null : 'mine');
  const connected = nodeNetwork.tcpConnect({ host: 'localhost', port: 1, signal, whyRefused });
  await expect(connected).rejects.toMatchObject({
    code: 'EACCES',
    message: expect.stringContaining('mine, which hooks may not reach') as string,
  });
});

it('judges an address that stands in place of a name, in brackets too', () => {
  expect(() => judgedLookup('[::1]', () => 'mine')).toThrow('::1 is mine');
  expect(judgedLookup('10.0.0.1', () => null)).toEqual({});
  expect(judgedLookup('10.0.0.1', undefined)).toEqual({});
});
