/** HTTP and TCP actions of hooks over real sockets: a server on this machine is the pod of the target. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';

import { target } from '../../../../test/sim/snapshot/hook-facts.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { HookAction } from '../kinds.ts';
import type { SnapshotContext } from '../context.ts';
import { allowedHosts } from '../../../handlers/allowed-hosts.ts';
import { type Acted, runAction } from './run-action.ts';

const SECRET = 'the answer of an internal service';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const says: RequestListener = (_, response) => response.end(SECRET);
const leadsTo = (location: string): RequestListener => {
  return (_, response) => response.writeHead(302, { location }).end(SECRET);
};

async function run(
  action: Pick<HookAction, 'httpGet' | 'tcpSocket'>,
  allowed: readonly string[] = [],
): Promise<Acted['result']> {
  const access = { network: nodePlatform.network };
  const context = {
    platform: nodePlatform,
    freezing: access,
    thawing: access,
    isAllowedHost: allowedHosts(allowed),
  } as unknown as SnapshotContext;
  const pod = { status: { podIP: '127.0.0.1' } } as unknown as Pod;
  const { signal } = new AbortController();
  const order = {
    target: target('a/x'),
    action: 'pre',
    attempt: 1,
    timeoutMs: 20_000,
    place: 'container',
    holderIsDead: false,
    isSlow: false,
  } as const;
  const world = { context, pod, signal, namespace: 'ns', hookName: 'h' };
  const { result } = await runAction(order, world, { actionTimeoutSeconds: 20, ...action });
  return result;
}

it('is sent to the pod, and keeps nothing of the body', async () => {
  const result = await run({ httpGet: { port: await serve(says) } });
  expect(result.outcome).toBe('Succeeded');
  expect(JSON.stringify(result)).not.toContain('internal');
});

it('keeps nothing of the body of a failure or a redirect either', async () => {
  const fails: RequestListener = (_, response) => response.writeHead(500).end(SECRET);
  const away = leadsTo('http://elsewhere.example/');
  for (const answer of [fails, away]) {
    const result = await run({ httpGet: { port: await serve(answer) } });
    expect(JSON.stringify(result)).not.toContain('internal');
  }
});

it.each<[string, readonly string[], string]>([
  ['db.shop.svc', [], "the host db.shop.svc is not the pod's own"],
  ['127.0.0.2', [], "the host 127.0.0.2 is not the pod's own"],
  ['127.0.0.2', ['127.0.0.0/8'], '127.0.0.2 is a loopback address, which hooks may not reach'],
  ['169.254.169.254', ['169.254.169.254'], '169.254.169.254 is a metadata service'],
  ['localhost', ['localhost'], 'a loopback address, which hooks may not reach'],
  ['::ffff:127.0.0.2', ['::/0'], 'is a loopback address'],
])('refuses %s with the list %j, before a connection is opened', async (host, allowed, why) => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests += 1;
    response.end();
  }, '0.0.0.0');
  for (const action of [{ httpGet: { port, host } }, { tcpSocket: { port, host } }]) {
    const result = await run(action, allowed);
    expect([result.outcome, result.reason]).toEqual(['Failed', expect.stringContaining(why)]);
  }
  expect(requests).toBe(0);
});

it('follows a redirect on the pod, and none to another address of the same machine', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/there' }).end();
    else response.writeHead(204).end();
  });
  expect((await run({ httpGet: { port } })).reason).toContain('204');
  let requests = 0;
  const other = await serve((_, response) => {
    requests += 1;
    response.end();
  }, '127.0.0.3');
  const away = await serve(leadsTo(`http://127.0.0.3:${other}/`));
  const result = await run({ httpGet: { port: away } }, ['127.0.0.3']);
  expect([result.reason.includes('not followed'), requests]).toEqual([true, 0]);
});
