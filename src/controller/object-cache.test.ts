import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../kube/object.ts';
import { MAX_OBJECTS, ObjectCache } from './object-cache.ts';

const labelled = (name: string, ...values: string[]): KubeObject => ({
  metadata: { name, labels: Object.fromEntries(values.map((value) => [value, ''])) },
});

function cacheOf(): ObjectCache<KubeObject> {
  return new ObjectCache<KubeObject>('pods', {
    label: ({ metadata }) => Object.keys(metadata?.labels ?? {}),
    name: ({ metadata }) => [metadata?.name ?? ''],
  });
}

const names = (objects: readonly KubeObject[]): unknown[] =>
  objects.map(({ metadata }) => metadata?.name);

describe('ObjectCache', () => {
  it('CTRL-O2: finds an object by what its index gives now, and by nothing that it gave before', () => {
    const cache = cacheOf();
    cache.set('a', labelled('a', 'x', 'y'));
    cache.set('b', labelled('b', 'x'));
    expect(names(cache.byIndex('label', 'x'))).toEqual(['a', 'b']);
    cache.set('a', labelled('a', 'z'));
    expect(names(cache.byIndex('label', 'x'))).toEqual(['b']);
    expect(names(cache.byIndex('label', 'y'))).toEqual([]);
    expect(names(cache.byIndex('label', 'z'))).toEqual(['a']);
    cache.delete('a');
    expect(names(cache.byIndex('label', 'z'))).toEqual([]);
    expect(names(cache.byIndex('name', 'b'))).toEqual(['b']);
  });

  it('has its objects by key, in the order in which they came', () => {
    const cache = cacheOf();
    for (const key of ['b', 'a']) cache.set(key, labelled(key));
    expect([cache.size, cache.keys(), names(cache.list())]).toEqual([2, ['b', 'a'], ['b', 'a']]);
    cache.delete('b');
    cache.delete('unknown');
    expect([cache.size, cache.get('b'), cache.get('a')?.metadata?.name]).toEqual([
      1,
      undefined,
      'a',
    ]);
  });

  it('CTRL-O1: shares frozen objects', () => {
    const cache = cacheOf();
    const object = labelled('a', 'x');
    expect(cache.set('a', object)).toBe(object);
    expect(Object.isFrozen(cache.get('a')?.metadata?.labels)).toBe(true);
  });

  it('lists its indexes in the error for an unknown index', () => {
    const text = 'the cache of pods has no index owner; it has ';
    expect(() => cacheOf().byIndex('owner', 'x')).toThrow(`${text}label, name`);
    expect(() => new ObjectCache('pods', {}).byIndex('owner', 'x')).toThrow(`${text}none`);
  });

  it('LHK102: refuses one object more than it may hold, and takes those that it has', () => {
    const cache = new ObjectCache<KubeObject>('pods', {});
    const object = labelled('a');
    for (let index = 0; index < MAX_OBJECTS; index += 1) cache.set(`${index}`, object);
    expect(() => cache.set('more', object)).toThrow(
      'LHK102: The cache of pods holds at most 100000 objects, and the cluster has more.',
    );
    expect(() => cache.set('0', labelled('again'))).not.toThrow();
    expect(cache.size).toBe(MAX_OBJECTS);
  });
});
