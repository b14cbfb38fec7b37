import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../test/api-stand.ts';
import { isReason } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { makeKubeClient } from '../../../../src/kube/make-client.ts';
import { configMaps } from '../../../../src/kube/resources.ts';
import type { HttpTransport } from '../../../../src/platform/http-transport.ts';
import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import type { ApiServer, UpgradeAnswer } from './http.ts';
import { inProcessTransport } from './in-process-transport.ts';

let stand: ApiStand;
let transport: HttpTransport;
let client: KubeClient;

beforeEach(async () => {
  stand = await ApiStand.open();
  transport = inProcessTransport(stand.server, nodePlatform.timers);
  client = makeKubeClient({
    transport,
    platform: nodePlatform,
    userAgent: 'test',
    random: () => 0,
  });
});

afterEach(async () => {
  transport.close();
  await stand.close();
});

const map = (name: string): { metadata: { name: string; namespace: string } } => ({
  metadata: { name, namespace: 'default' },
});

describe('inProcessTransport', () => {
  it('returns the response to a request, and the error when the server refuses', async () => {
    await client.create(configMaps, map('a'));
    const listed = await client.list(configMaps, { namespace: 'default', pageSize: 1 });
    expect(listed.items.map(({ metadata }) => metadata?.name)).toEqual(['a']);
    const again: unknown = await client
      .create(configMaps, map('a'))
      .catch((error: unknown) => error);
    expect(isReason(again, 'AlreadyExists')).toBe(true);
  });

  const watch = '/api/v1/configmaps?watch=1';

  it('streams a watch until its reader stops', async () => {
    const { body } = await transport.request({ method: 'GET', path: watch, headers: {} });
    await client.create(configMaps, map('a'));
    for await (const line of body) {
      expect(JSON.parse(new TextDecoder().decode(line))).toMatchObject({ type: 'ADDED' });
      break;
    }
    expect.assertions(1);
  });

  it('rejects an aborted stream, and every stream when it closes', async () => {
    const stop = new AbortController();
    const asked = { method: 'GET', path: watch, headers: {} } as const;
    const first = await transport.request({ ...asked, signal: stop.signal });
    const second = await transport.request(asked);
    const read = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
      let pieces = 0;
      for await (const _piece of body) pieces += 1;
      return pieces;
    };
    const ends = Promise.allSettled([read(first.body), read(second.body)]);
    stop.abort();
    transport.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(transport.request(asked)).rejects.toThrow('cancelled');
  });

  const exec = { path: '/api/v1/namespaces/default/pods/web/exec', headers: {}, protocols: ['v5'] };

  it.each<[string, UpgradeAnswer]>([
    ['was refused', { kind: 'refused', answer: { status: 403, headers: {}, body: '' } }],
    ['has ended', { kind: 'accepted', protocol: 'v5', serve: () => Promise.resolve() }],
  ])('listens no longer to the signal of a socket that %s', async (_, answer) => {
    const server = { upgrade: () => Promise.resolve(answer) } as unknown as ApiServer;
    const inside = inProcessTransport(server, nodePlatform.timers);
    const { signal } = new AbortController();
    const socket = await inside.openSocket({ ...exec, signal }).catch(() => null);
    await socket?.closed;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('closes a socket whose signal was aborted while the server answered', async () => {
    const calledOff = new AbortController();
    const upgrade = (): Promise<UpgradeAnswer> => {
      calledOff.abort();
      return Promise.resolve({
        kind: 'accepted',
        protocol: 'v5',
        serve: async ({ closed }) => void (await closed),
      });
    };
    const server = { upgrade } as unknown as ApiServer;
    const inside = inProcessTransport(server, nodePlatform.timers);
    const socket = await inside.openSocket({ ...exec, signal: calledOff.signal });
    await socket.closed;
  });

  it('listens no longer to the signal of a request whose answer was read', async () => {
    const { signal } = new AbortController();
    const path = '/api/v1/namespaces/default/configmaps';
    const { body } = await transport.request({ method: 'GET', path, headers: {}, signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for await (const _piece of body);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
