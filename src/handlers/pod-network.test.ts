import { describe, expect, it } from 'vitest';

import { neverCancelled } from '../engine/act.ts';
import type { HttpRequest, Network, TcpTarget } from '../platform/platform.ts';
import { podNetwork } from './pod-network.ts';
import { whyRefusedAddress } from './refused-address.ts';

interface Asked {
  readonly network: Network;
  readonly http: readonly HttpRequest[];
  readonly tcp: readonly TcpTarget[];
}

/** The network of a hooked pod, with a record of the requests that it passes to the network of the process. */
function networkOf(podAddress: string, allowed: readonly string[] = []): Asked {
  const http: HttpRequest[] = [];
  const tcp: TcpTarget[] = [];
  const answer = { status: 200, body: '', bodyBytes: 0, bodyTruncated: false, location: null };
  const outer: Network = {
    httpGet: async (request) => {
      http.push(request);
      return answer;
    },
    tcpConnect: async (target) => {
      tcp.push(target);
    },
  };
  const isAllowedHost = (host: string): boolean => allowed.includes(host);
  return { network: podNetwork(outer, { podAddress, isAllowedHost }), http, tcp };
}

const get = (url: string): HttpRequest => ({
  url,
  headers: {},
  bodyLimitBytes: 1_000,
  verifyCertificate: false,
  signal: new AbortController().signal,
});

const refused = (host: string): object => ({
  code: 'EACCES',
  message:
    `the host ${host} is not the pod's own, and the administrator has not allowed it: ` +
    'leave `host` out, or run the controllers with --allow-hook-host',
});

describe('the network of a hooked pod', () => {
  it.each([
    ['10.0.0.7', 'http://10.0.0.7:80/'],
    ['127.0.0.1', 'http://127.0.0.1/'],
    ['fd00::7', 'https://[fd00:0:0::7]:443/'],
  ])('reaches the pod at %s without a judgement of its address', async (pod, url) => {
    const { network, http } = networkOf(pod);
    await network.httpGet(get(url));
    expect(http).toMatchObject([{ url, headers: {}, verifyCertificate: false }]);
    expect(http[0]).not.toHaveProperty('whyRefused');
  });

  it('reaches an allowed host where its address is not refused', async () => {
    const { network, http, tcp } = networkOf('10.0.0.7', ['db.example']);
    await network.httpGet(get('http://db.example/'));
    await network.tcpConnect({ host: 'db.example', port: 1, signal: neverCancelled });
    expect([http[0]?.whyRefused, tcp[0]?.whyRefused]).toEqual([
      whyRefusedAddress,
      whyRefusedAddress,
    ]);
    expect(tcp).toMatchObject([{ host: 'db.example', port: 1 }]);
  });

  it.each(['10.0.0.8', '10.0.0.70', 'db.example', '[::1]', '[::a00:7]'])(
    'refuses the host %s, which is neither, and connects nowhere',
    async (host) => {
      const { network, http, tcp } = networkOf('10.0.0.7', ['other.example']);
      const bare = host.replaceAll(/[[\]]/g, '');
      await expect(network.httpGet(get(`http://${host}/`))).rejects.toMatchObject(refused(bare));
      const target = { host: bare, port: 1, signal: neverCancelled };
      await expect(network.tcpConnect(target)).rejects.toMatchObject(refused(bare));
      expect([http, tcp]).toEqual([[], []]);
    },
  );

  it('refuses the address of the pod with a leading zero, which resolvers read as octal', async () => {
    const { network, tcp } = networkOf('10.0.0.7');
    const target = { host: '010.0.0.7', port: 1, signal: neverCancelled };
    await expect(network.tcpConnect(target)).rejects.toMatchObject(refused('010.0.0.7'));
    expect(tcp).toEqual([]);
  });

  it('takes a pod without an address for no host', async () => {
    const { network } = networkOf('');
    for (const host of ['a.example', '10.0.0.8']) {
      await expect(network.httpGet(get(`http://${host}/`))).rejects.toMatchObject(refused(host));
    }
  });

  it('reads no body, whatever the hook asks for', async () => {
    const { network, http } = networkOf('10.0.0.7');
    await network.httpGet(get('http://10.0.0.7/'));
    expect(http[0]?.bodyLimitBytes).toBe(0);
  });
});
