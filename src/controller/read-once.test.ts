import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { fedInformer, type FedInformer } from '../../test/fixtures/fed-informer.ts';
import { ApiError } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import type { ObjectKey } from '../kube/object.ts';
import { OwnWrites } from './own-writes.ts';
import { readAgain, type Reading, readOnce } from './read-once.ts';

const KEY = 'ns/a';

let fed: FedInformer;
let reading: Reading<ConfigMap>;
/** The object on the server, or the error with which the server answers a read. */
let stored: ConfigMap | Error;
let asked: ObjectKey[];

const map = (version: number): ConfigMap => ({
  metadata: { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: String(version) },
});

const versionRead = async (): Promise<string | undefined> =>
  (await readOnce(reading, KEY))?.metadata?.resourceVersion;

beforeEach(() => {
  fed = fedInformer();
  asked = [];
  stored = map(5);
  const get = (async (_resource: unknown, key: ObjectKey) => {
    asked.push(key);
    if (stored instanceof Error) throw stored;
    return stored;
  }) as unknown as KubeClient['get'];
  const own = new OwnWrites<ConfigMap>(fed.informer);
  reading = { client: { get }, cache: fed.informer, own };
});

const cacheHas = (version: number): Promise<void> =>
  fed.deliver({ type: 'Upsert', object: map(version) });

describe('readOnce', () => {
  it('CTRL-W4: returns the state of the server, not the one that the cache had before', async () => {
    await cacheHas(9);
    expect(await versionRead()).toBe('5');
    expect(asked).toEqual([{ namespace: 'ns', name: 'a' }]);
  });

  it('reads an object once in each term', async () => {
    await cacheHas(1);
    await versionRead();
    await versionRead();
    expect(asked).toHaveLength(1);
    reading.own.beginTerm();
    await versionRead();
    expect(asked).toHaveLength(2);
  });

  it('returns what the cache has received since the read', async () => {
    await cacheHas(1);
    await versionRead();
    await cacheHas(8);
    expect(await versionRead()).toBe('8');
  });

  it('finds no object that only the cache still has', async () => {
    await cacheHas(1);
    stored = new ApiError(404, { reason: 'NotFound' });
    expect(await versionRead()).toBeUndefined();
  });

  it('does not ask for an object that the cache does not have', async () => {
    expect(await versionRead()).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('rejects if the read fails, so that nothing acts on an old state', async () => {
    await cacheHas(1);
    stored = new ApiError(503, { message: 'overloaded' });
    await expect(versionRead()).rejects.toThrow('overloaded');
  });
});

describe('readAgain', () => {
  it('says whether the object exists', async () => {
    expect(await readAgain(reading, KEY)).toBe(true);
    stored = new ApiError(404, { reason: 'NotFound' });
    expect(await readAgain(reading, KEY)).toBe(false);
  });
});
