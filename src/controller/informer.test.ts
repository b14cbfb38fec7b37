import { describe, expect, it } from 'vitest';

import type { WatchEvent } from '../kube/client.ts';
import type { KubeObject } from '../kube/object.ts';
import { configMaps } from '../kube/resources.ts';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { byNamespace, byOwnerUid } from './indexes.ts';
import { type Change, Informer } from './informer.ts';

type Reported = WatchEvent<ConfigMap>;

const map = (
  name: string,
  version: number,
  more: { uid?: string; owner?: string } = {},
): ConfigMap => ({
  metadata: {
    name,
    namespace: 'ns',
    uid: more.uid ?? `uid-${name}`,
    resourceVersion: String(version),
    ownerReferences:
      more.owner === undefined
        ? []
        : [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid: more.owner, controller: true }],
  },
});

const upsert = (object: ConfigMap): Reported => ({ type: 'Upsert', object });
const deleted = (object: ConfigMap): Reported => ({ type: 'Delete', object });
const relisting: Reported = { type: 'Relisting' };
const synced: Reported = { type: 'Synced', resourceVersion: '1' };

async function* streamOf(events: readonly Reported[]): AsyncGenerator<Reported> {
  yield* events;
}

const version = (object: KubeObject | null): string => object?.metadata?.resourceVersion ?? '-';

/** A change as text, such as "a 1>2": the name, and the versions before and after. */
const words = ({ key, before, after }: Change<ConfigMap>): string =>
  `${key.slice(3)} ${version(before)}>${version(after)}`;

/** Feeds all events to an informer; returns it, with the changes that it has reported to its listener. */
async function follow(
  events: readonly Reported[],
): Promise<{ informer: Informer<ConfigMap>; reported: string[] }> {
  const informer = new Informer<ConfigMap>({
    resource: configMaps,
    watch: () => streamOf(events),
    indexes: { namespace: byNamespace, owner: byOwnerUid },
  });
  const reported: string[] = [];
  informer.listen((change) => reported.push(words(change)));
  await expect(informer.run(new AbortController().signal)).rejects.toThrow('ended by itself');
  return { informer, reported };
}

describe('Informer', () => {
  it('CTRL-I1: has synced only after the first list is complete', async () => {
    const { informer } = await follow([relisting, upsert(map('a', 1))]);
    expect(informer.hasSynced).toBe(false);
    const later = await follow([relisting, upsert(map('a', 1)), synced]);
    expect(later.informer.hasSynced).toBe(true);
    await later.informer.synced();
  });

  it('CTRL-I2: notifies each change once, with the object before it', async () => {
    const { reported } = await follow([
      relisting,
      upsert(map('a', 1)),
      synced,
      upsert(map('a', 2)),
      deleted(map('a', 3)),
    ]);
    expect(reported).toEqual(['a ->1', 'a 1>2', 'a 3>-']);
  });

  it('CTRL-I2: notifies a deletion of objects that a relist omits, with their last known state', async () => {
    const { reported, informer } = await follow([
      relisting,
      upsert(map('a', 1)),
      upsert(map('b', 2)),
      synced,
      relisting,
      upsert(map('a', 1)),
      upsert(map('c', 9)),
      synced,
    ]);
    expect(reported).toEqual(['a ->1', 'b ->2', 'c ->9', 'b 2>-']);
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['a', 'c']);
  });

  it('CTRL-I1: keeps its objects while a relist is in progress', async () => {
    const { informer } = await follow([relisting, upsert(map('a', 1)), synced, relisting]);
    expect(informer.get('ns/a')?.metadata?.resourceVersion).toBe('1');
    expect(informer.hasSynced).toBe(true);
  });

  it('CTRL-I3: notifies a recreated object as deleted, then as new', async () => {
    const { reported } = await follow([
      relisting,
      upsert(map('a', 1)),
      synced,
      relisting,
      upsert(map('a', 7, { uid: 'another' })),
      synced,
    ]);
    expect(reported).toEqual(['a ->1', 'a 1>-', 'a ->7']);
  });

  it('ignores a late deletion of an object that was recreated since', async () => {
    const { informer, reported } = await follow([
      relisting,
      upsert(map('a', 7, { uid: 'another' })),
      synced,
      deleted(map('a', 1)),
    ]);
    expect(reported).toEqual(['a ->7']);
    expect(informer.get('ns/a')).toBeDefined();
  });

  it('CTRL-I4: notifies nothing when it receives the same version again', async () => {
    const { reported } = await follow([
      relisting,
      upsert(map('a', 1)),
      synced,
      upsert(map('a', 1)),
    ]);
    expect(reported).toEqual(['a ->1']);
  });

  it('CTRL-I5: notifies a late listener of all present objects as new', async () => {
    const { informer } = await follow([
      relisting,
      upsert(map('a', 1)),
      upsert(map('b', 2)),
      synced,
    ]);
    const late: string[] = [];
    informer.listen((change) => late.push(words(change)));
    expect(late).toEqual(['a ->1', 'b ->2']);
  });

  it('CTRL-O2: finds objects by the current values of its indexes', async () => {
    const { informer } = await follow([
      relisting,
      upsert(map('a', 1, { owner: 'x' })),
      upsert(map('b', 2, { owner: 'x' })),
      upsert(map('c', 3, { owner: 'y' })),
      synced,
      upsert(map('b', 4, { owner: 'y' })),
      deleted(map('c', 5)),
    ]);
    const names = (owner: string): (string | undefined)[] =>
      informer.byIndex('owner', owner).map(({ metadata }) => metadata?.name);
    expect([names('x'), names('y'), names('z')]).toEqual([['a'], ['b'], []]);
    expect(informer.byIndex('namespace', 'ns')).toHaveLength(2);
    expect(() => informer.byIndex('absent', 'x')).toThrow('it has namespace, owner');
  });

  it('CTRL-O1: freezes the objects that it shares', async () => {
    const { informer } = await follow([relisting, upsert(map('a', 1)), synced]);
    const object = informer.get('ns/a');
    expect(() => {
      if (object?.metadata !== undefined) object.metadata.labels = {};
    }).toThrow(TypeError);
  });

  it('ends without an error when it is stopped', async () => {
    const stop = new AbortController();
    const informer = new Informer<ConfigMap>({
      resource: configMaps,
      watch: async function* (signal) {
        yield relisting;
        yield synced;
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        });
      },
    });
    const running = informer.run(stop.signal);
    await informer.synced();
    stop.abort();
    await running;
  });

  it('resolves the waits for the first list, during it and after it', async () => {
    const informer = new Informer<ConfigMap>({
      resource: configMaps,
      watch: () => streamOf([relisting, upsert(map('a', 1)), synced]),
    });
    let isSynced = false;
    const waiting = informer.synced().then(() => (isSynced = true));
    expect([informer.hasSynced, isSynced]).toEqual([false, false]);
    await expect(informer.run(new AbortController().signal)).rejects.toThrow('ended by itself');
    await waiting;
    await informer.synced();
    expect([informer.hasSynced, isSynced]).toEqual([true, true]);
  });

  it('reports once that it has synced, and each interruption of its watch', async () => {
    const broken = { reason: 'connection reset', retryInMs: 500 };
    const interrupted: Reported = { type: 'Interrupted', ...broken, notServed: false };
    const events: unknown[] = [];
    const reported = [relisting, upsert(map('a', 1)), synced, interrupted, relisting, synced];
    const informer = new Informer<ConfigMap>({
      resource: configMaps,
      watch: () => streamOf(reported),
      observe: (event) => events.push(event),
    });
    await expect(informer.run(new AbortController().signal)).rejects.toThrow();
    expect(events).toEqual([
      { type: 'CacheSynced', resource: 'configmaps', objects: 1 },
      {
        type: 'WatchInterrupted',
        resource: 'configmaps',
        reason: 'connection reset',
        retryInMs: 500,
      },
    ]);
  });

  it('stops notifying a listener that has ended', async () => {
    const informer = new Informer<ConfigMap>({
      resource: configMaps,
      watch: () => streamOf([relisting, upsert(map('a', 1)), synced]),
    });
    const reported: string[] = [];
    informer.listen((change) => reported.push(words(change)))();
    await expect(informer.run(new AbortController().signal)).rejects.toThrow();
    expect(reported).toEqual([]);
    expect(informer.resource).toBe(configMaps);
  });

  it('takes an index once, before it runs, and the same one at any time', async () => {
    const { informer } = await follow([relisting, synced]);
    expect(() => {
      informer.addIndexes({ namespace: byNamespace });
    }).not.toThrow();
    expect(() => {
      informer.addIndexes({ namespace: byOwnerUid });
    }).toThrow('the informer of configmaps has another index namespace already');
    expect(() => {
      informer.addIndexes({ more: byOwnerUid });
    }).toThrow('the informer of configmaps runs already: add more before it starts');
    await expect(informer.run(new AbortController().signal)).rejects.toThrow(
      'the informer of configmaps runs already',
    );
  });

  it('applies nothing that arrives after it was stopped', async () => {
    const stop = new AbortController();
    const informer = new Informer<ConfigMap>({
      resource: configMaps,
      watch: async function* () {
        yield relisting;
        stop.abort();
        yield upsert(map('a', 1));
      },
    });
    await informer.run(stop.signal);
    expect(informer.list()).toEqual([]);
  });

  it('CTRL-I4: notifies an object without a version each time', async () => {
    const bare = { metadata: { name: 'a', namespace: 'ns', uid: 'u' } };
    const { reported } = await follow([relisting, upsert(bare), upsert(bare), synced]);
    expect(reported).toEqual(['a ->-', 'a ->-']);
  });
});
