import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../test/api-stand.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

let stand: ApiStand;

const map = (name: string, data: Record<string, string> = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const create = (object: JsonObject): ReturnType<ApiStand['call']> =>
  stand.call(MAPS, { method: 'POST', body: object });

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('the API server', () => {
  it('stores a new object with namespace, uid, creationTimestamp and resourceVersion', async () => {
    const created = await create(map('a', { key: 'value' }));
    expect(created).toMatchObject({
      status: 201,
      body: {
        kind: 'ConfigMap',
        metadata: {
          name: 'a',
          namespace: 'default',
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          creationTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
          resourceVersion: '3',
        },
        data: { key: 'value' },
      },
    });
    expect(await stand.call(`${MAPS}/a`)).toEqual({ status: 200, body: created.body });
  });

  it('refuses a second object of the same name and an unknown name with the status of Kubernetes', async () => {
    await create(map('a'));
    expect(await create(map('a'))).toEqual({
      status: 409,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps "a" already exists',
        reason: 'AlreadyExists',
        details: { name: 'a', kind: 'configmaps' },
        code: 409,
      },
    });
    expect(await stand.call(`${MAPS}/b`)).toMatchObject({
      status: 404,
      body: { message: 'configmaps "b" not found', reason: 'NotFound' },
    });
  });

  it('accepts an update of the newest revision, and refuses one of an older revision', async () => {
    const { body } = await create(map('a'));
    const first = await stand.call(`${MAPS}/a`, {
      method: 'PUT',
      body: { ...body, data: { n: '1' } },
    });
    expect(first).toMatchObject({ status: 200, body: { data: { n: '1' } } });
    const second = await stand.call(`${MAPS}/a`, { method: 'PUT', body: { ...body, data: {} } });
    expect(second).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please ' +
          'apply your changes to the latest version and try again',
      },
    });
  });

  it.each([
    ['POST', MAPS, map('b')],
    ['PUT', `${MAPS}/a`, map('a', { n: '2' })],
    ['DELETE', `${MAPS}/a`, undefined],
    ['DELETE', MAPS, undefined],
  ])(
    'changes nothing for %s %s if it cannot answer in an accepted format',
    async (method, path, body) => {
      await create(map('a', { n: '1' }));
      const { revision } = stand.store;
      const asked = { method, body, headers: { accept: 'text/html' } };
      expect(await stand.call(path, asked)).toMatchObject({ status: 406 });
      expect(stand.store.revision).toBe(revision);
    },
  );

  it('keeps the revision when an update changes nothing', async () => {
    const { body } = await create(map('a', { n: '1' }));
    const updated = await stand.call(`${MAPS}/a`, { method: 'PUT', body: map('a', { n: '1' }) });
    expect(updated.body).toEqual(body);
  });

  it('removes an object, or marks it as deleted while it has a finalizer', async () => {
    await create(map('a'));
    const removed = await stand.call(`${MAPS}/a`, { method: 'DELETE' });
    expect(removed).toMatchObject({
      status: 200,
      body: { kind: 'Status', status: 'Success', details: { name: 'a', kind: 'configmaps' } },
    });
    const metadata = { name: 'b', finalizers: ['example.com/hold'] };
    await create({ ...map('b'), metadata });
    const held = await stand.call(`${MAPS}/b`, { method: 'DELETE' });
    expect(held.body).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 },
    });
    const free = {
      ...held.body,
      metadata: { ...(held.body['metadata'] as JsonObject), finalizers: [] },
    };
    expect(await stand.call(`${MAPS}/b`, { method: 'PUT', body: free })).toMatchObject({
      status: 200,
    });
    expect(await stand.call(`${MAPS}/b`)).toMatchObject({ status: 404 });
  });

  it('lists in pages that show the same revision', async () => {
    for (const name of ['c', 'a', 'b']) await create(map(name));
    const first = await stand.call(`${MAPS}?limit=2`);
    const { continue: token, remainingItemCount } = first.body['metadata'] as JsonObject;
    expect(names(first.body)).toEqual(['a', 'b']);
    expect(remainingItemCount).toBe(1);
    await create(map('d'));
    await stand.call(`${MAPS}/c`, { method: 'DELETE' });
    const second = await stand.call(`${MAPS}?limit=2&continue=${token as string}`);
    expect(names(second.body)).toEqual(['c']);
    expect(second.body['metadata']).toEqual({
      resourceVersion: (first.body['metadata'] as JsonObject)['resourceVersion'],
    });
    expect(names((await stand.call(MAPS)).body)).toEqual(['a', 'b', 'd']);
  });

  it('sends a watcher the present objects and every change, filtered by its selector', async () => {
    await create({ ...map('a'), metadata: { name: 'a', labels: { app: 'x' } } });
    await create(map('other'));
    const stop = new AbortController();
    const { body } = await stand.ask(`${MAPS}?watch=true&labelSelector=app%3Dx`, {
      signal: stop.signal,
    });
    const change = async (labels: JsonObject): Promise<unknown> =>
      stand.call(`${MAPS}/a`, {
        method: 'PUT',
        body: { ...map('a'), metadata: { name: 'a', labels } },
      });
    await change({ app: 'x', more: 'y' });
    await change({ app: 'z' });
    await change({ app: 'x' });
    await stand.call(`${MAPS}/a`, { method: 'DELETE' });
    const events: string[] = [];
    for await (const line of body as AsyncIterable<string>) {
      const { type, object } = JSON.parse(line) as { type: string; object: JsonObject };
      const { labels, resourceVersion } = object['metadata'] as JsonObject;
      events.push(`${type} ${JSON.stringify(labels)} ${JSON.stringify(resourceVersion)}`);
      if (events.length === 5) stop.abort();
    }
    expect(events).toEqual([
      'ADDED {"app":"x"} "3"',
      'MODIFIED {"app":"x","more":"y"} "5"',
      'DELETED {"app":"x","more":"y"} "6"',
      'ADDED {"app":"x"} "7"',
      'DELETED {"app":"x"} "8"',
    ]);
  });
});

function names(list: JsonObject): unknown[] {
  return (list['items'] as JsonObject[]).map((item) => (item['metadata'] as JsonObject)['name']);
}
