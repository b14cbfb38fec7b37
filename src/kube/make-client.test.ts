import { describe, expect, it } from 'vitest';

import { type Script, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import type { TransportRequest } from '../platform/http-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { posixError } from '../platform/posix-error.ts';
import { isReason, UnreachableError } from './api-error.ts';
import type { KubeClient } from './client.ts';
import { makeKubeClient } from './make-client.ts';
import { configMaps, deployments, nodes, pods } from './resources.ts';

const key = { namespace: 'shop', name: 'web' };
const pod = { metadata: { ...key, resourceVersion: '7' } };

function clientOf(script: Script): { client: KubeClient; requests: readonly TransportRequest[] } {
  const transport = scriptedTransport(script);
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  return { client: makeKubeClient(connection), requests: transport.requests };
}

/** The requests that a call sends, each as text. */
async function requestOf(call: (client: KubeClient) => Promise<unknown>): Promise<string[]> {
  const { client, requests } = clientOf(() => ({ body: pod }));
  await call(client);
  return requests.map(({ method, path, headers, body }) =>
    [method, path, headers['content-type'] ?? '', body ?? ''].join(' ').trim(),
  );
}

const failure = (code: number, reason: string, more: object = {}): object => ({
  kind: 'Status',
  status: 'Failure',
  message: `because of ${reason}`,
  code,
  reason,
  ...more,
});

describe('makeKubeClient', () => {
  it('sends each method with its HTTP verb, path, query and body', async () => {
    expect(await requestOf((c) => c.get(pods, key))).toEqual([
      'GET /api/v1/namespaces/shop/pods/web',
    ]);
    expect(await requestOf((c) => c.get(nodes, { name: 'a/b' }))).toEqual([
      'GET /api/v1/nodes/a%2Fb',
    ]);
    expect(
      await requestOf((c) => c.create(pods, pod, { dryRun: true, fieldManager: 'me too' })),
    ).toEqual([
      'POST /api/v1/namespaces/shop/pods?fieldManager=me%20too&dryRun=All application/json ' +
        '{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","name":"web","resourceVersion":"7"}}',
    ]);
    expect(await requestOf((c) => c.replaceStatus(deployments, { metadata: key }))).toEqual([
      'PUT /apis/apps/v1/namespaces/shop/deployments/web/status application/json ' +
        '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"web"}}',
    ]);
  });

  it('sends the content type of each type of patch', async () => {
    const typeOf = async (type: 'json' | 'merge' | 'strategic'): Promise<string | undefined> =>
      (await requestOf((c) => c.patch(pods, key, { type, body: {}, subresource: 'status' })))[0];
    const path = 'PATCH /api/v1/namespaces/shop/pods/web/status';
    expect(await typeOf('json')).toBe(`${path} application/json-patch+json {}`);
    expect(await typeOf('merge')).toBe(`${path} application/merge-patch+json {}`);
    expect(await typeOf('strategic')).toBe(`${path} application/strategic-merge-patch+json {}`);
    const applied = await requestOf((c) =>
      c.apply(configMaps, { metadata: key }, { fieldManager: 'me', force: true }),
    );
    expect(applied[0]).toContain(
      'configmaps/web?fieldManager=me&force=true application/apply-patch+yaml {',
    );
  });

  it('sends the options of a delete, and reports whether the object still exists', async () => {
    const options = { gracePeriodSeconds: 0, preconditions: { uid: 'u' } };
    expect((await requestOf((c) => c.delete(pods, key, options)))[0]).toBe(
      'DELETE /api/v1/namespaces/shop/pods/web application/json ' +
        '{"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,"preconditions":{"uid":"u"}}',
    );
    const leftOf = async (body: object): Promise<unknown> =>
      (await clientOf(() => ({ body })).client.delete(pods, key)) !== null;
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(await leftOf({ kind: 'Status', status: 'Success' })).toBe(false);
    expect(await leftOf({ kind: 'Pod', metadata: {} })).toBe(false);
    const terminating = { deletionTimestamp, deletionGracePeriodSeconds: 0 };
    expect(await leftOf({ kind: 'Pod', metadata: terminating })).toBe(false);
    expect(await leftOf({ kind: 'Pod', metadata: { ...terminating, finalizers: ['x/y'] } })).toBe(
      true,
    );
    expect(
      await leftOf({ kind: 'Pod', metadata: { ...terminating, deletionGracePeriodSeconds: 30 } }),
    ).toBe(true);
  });

  it('refuses an object without the namespace or the name that its path needs', async () => {
    const { client, requests } = clientOf(() => ({ body: pod }));
    await expect(client.create(pods, { metadata: { name: 'web' } })).rejects.toThrow(/namespace/);
    await expect(client.replace(nodes, {})).rejects.toThrow(/name of a Node is required/);
    expect(requests).toEqual([]);
  });

  it('rejects with the status of the server, also when that is plain text', async () => {
    const { client } = clientOf(({ path }) =>
      path.endsWith('web')
        ? { status: 404, body: failure(404, 'NotFound') }
        : { status: 429, body: 'Too many requests, please try again later.' },
    );
    const notFound: unknown = await client.get(pods, key).catch((error: unknown) => error);
    expect(isReason(notFound, 'NotFound') && notFound.message).toBe('because of NotFound');
    const plain: unknown = await client.list(pods).catch((error: unknown) => error);
    expect(isReason(plain, 'TooManyRequests') && plain.code).toBe(429);
  });

  it('rejects a response that is not a JSON object', async () => {
    const { client } = clientOf(() => ({ body: '<html>' }));
    await expect(client.get(pods, key)).rejects.toThrow(
      /not a JSON object: it begins with "<html>"/,
    );
    const { client: listing } = clientOf(() => ({ body: { items: 3 } }));
    await expect(listing.list(pods)).rejects.toThrow(UnreachableError);
  });

  it('lists only the pages after a restart, when the server has dropped the revision of the others', async () => {
    const page = (name: string, next = ''): object => ({
      metadata: { resourceVersion: '5', continue: next },
      items: [{ metadata: { name } }],
    });
    const bodies = [page('old', 't'), failure(410, 'Expired'), page('a', 't'), page('b')];
    const { client } = clientOf((_, index) => ({
      status: index === 1 ? 410 : 200,
      body: bodies[index] ?? {},
    }));
    const { items } = await client.list(pods);
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
  });

  it('returns the text of a raw response that is not JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { client } = clientOf(() => ({ headers, body: 'ok' }));
    expect(await client.raw({ method: 'GET', path: '/readyz', query: { verbose: '' } })).toBe('ok');
  });
});

describe('a request', () => {
  it('is retried when the connection was refused', async () => {
    const refused = posixError('ECONNREFUSED', 'connect ECONNREFUSED');
    const { client, requests } = clientOf((_, index) => (index < 2 ? refused : { body: pod }));
    expect(await client.get(pods, key)).toEqual(pod);
    expect(requests).toHaveLength(3);
  });

  it.each([
    [posixError('ECONNRESET', 'reset'), true],
    [posixError('ENOTFOUND', 'no such host'), false],
    [posixError('EPROTO', 'certificate has expired'), false],
  ])('is not retried after %s, and reports whether it was sent', async (error, sent) => {
    const { client, requests } = clientOf(() => error);
    await expect(client.create(pods, pod)).rejects.toMatchObject({
      name: 'UnreachableError',
      sent,
    });
    expect(requests).toHaveLength(1);
  });

  it('is retried when the server sends Retry-After, and not without it', async () => {
    const waits = { status: 503, headers: { 'retry-after': '0' } };
    const { client, requests } = clientOf((_, index) => (index === 0 ? waits : { body: pod }));
    await client.create(pods, pod);
    expect(requests).toHaveLength(2);
    const { client: other, requests: once } = clientOf(() => ({ status: 503 }));
    await expect(other.create(pods, pod)).rejects.toMatchObject({ reason: 'ServiceUnavailable' });
    expect(once).toHaveLength(1);
  });

  it('is not retried when Retry-After exceeds its timeout', async () => {
    const headers = { 'retry-after': '60' };
    const { client, requests } = clientOf(() => ({ status: 429, headers }));
    const failed = client.get(pods, key, { timeoutMs: 1_000 });
    await expect(failed).rejects.toMatchObject({ code: 429, retryAfterSeconds: 60 });
    expect(requests).toHaveLength(1);
  });

  it('rejects at its timeout and on its signal, even if the transport ignores both', async () => {
    const never = new Promise<never>(() => undefined);
    const { client, requests } = clientOf(() => never);
    await expect(client.get(pods, key, { timeoutMs: 20 })).rejects.toThrow(/within 20 ms/);
    expect(requests[0]?.signal?.aborted).toBe(true);
    const controller = new AbortController();
    const called = client.get(pods, key, { signal: controller.signal });
    controller.abort();
    await expect(called).rejects.toMatchObject({ sent: true });
    await expect(client.get(pods, key, { signal: controller.signal })).rejects.toMatchObject({
      sent: false,
    });
    expect(requests).toHaveLength(2);
  });
});
