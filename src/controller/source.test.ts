import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import type { WatchEvent } from '../kube/client.ts';
import { configMaps } from '../kube/resources.ts';
import { controllerKey, ownKey } from './indexes.ts';
import { Informer } from './informer.ts';
import { watched } from './source.ts';

const child = (version: string, owner: string | null, more: object = {}): ConfigMap => {
  const reference = { apiVersion: 'apps/v1beta1', kind: 'Deployment', name: owner ?? '', uid: 'u' };
  const ownerReferences = owner === null ? [] : [{ ...reference, controller: true, ...more }];
  return {
    metadata: { namespace: 'ns', name: 'c', uid: 'c', resourceVersion: version, ownerReferences },
  };
};

async function keysOf(...objects: readonly ConfigMap[]): Promise<string[]> {
  const informer = new Informer<ConfigMap>({
    resource: configMaps,
    watch: async function* (): AsyncGenerator<WatchEvent<ConfigMap>> {
      for (const object of objects) yield { type: 'Upsert', object };
      yield { type: 'Synced', resourceVersion: '1' };
    },
  });
  const keys: string[] = [];
  const source = watched({ informer, keys: controllerKey({ group: 'apps', kind: 'Deployment' }) });
  source.listen((key) => keys.push(key));
  await expect(informer.run(new AbortController().signal)).rejects.toThrow('ended by itself');
  return keys;
}

describe('watched', () => {
  it('adds the key of the controlling owner, whatever the version of its API', async () => {
    expect(await keysOf(child('1', 'a'))).toEqual(['ns/a']);
  });

  it('adds the old and the new owner of an object whose owner changed', async () => {
    expect(await keysOf(child('1', 'a'), child('2', 'b'), child('3', null))).toEqual([
      'ns/a',
      'ns/a',
      'ns/b',
      'ns/b',
    ]);
  });

  it('ignores owners of other kinds and groups, and owners that do not control', async () => {
    expect(await keysOf(child('1', 'a', { kind: 'StatefulSet' }))).toEqual([]);
    expect(await keysOf(child('1', 'a', { apiVersion: 'example.com/v1' }))).toEqual([]);
    expect(await keysOf(child('1', 'a', { controller: false }))).toEqual([]);
  });

  it('adds only keys of changes that its filter accepts', async () => {
    const informer = new Informer<ConfigMap>({
      resource: configMaps,
      watch: async function* (): AsyncGenerator<WatchEvent<ConfigMap>> {
        yield { type: 'Upsert', object: child('1', null) };
        yield { type: 'Upsert', object: child('2', null) };
        yield { type: 'Synced', resourceVersion: '1' };
      },
    });
    const keys: string[] = [];
    watched({ informer, keys: ownKey, when: ({ before }) => before !== null }).listen((key) =>
      keys.push(key),
    );
    await expect(informer.run(new AbortController().signal)).rejects.toThrow();
    expect(keys).toEqual(['ns/c']);
  });
});
