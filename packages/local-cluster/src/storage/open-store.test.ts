import { beforeEach, describe, expect, it } from 'vitest';

import { Machine, type MachineProcess } from '../../../../test/sim/machine.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';
import { nodeTimers } from '../../../../src/platform/timers.ts';
import { MAX_CHANGE_AGE_MS, MAX_CHANGES } from './change-log.ts';
import {
  type ObjectStore,
  type StoreChange,
  TooOldError,
  type WriteResult,
} from './object-store.ts';
import { openObjectStore } from './open-store.ts';

let machine: Machine;
let process: MachineProcess;
let store: ObjectStore;
let nowMs: number;

async function open(limitBytes?: number): Promise<ObjectStore> {
  process = machine.start();
  const { files, processes } = process;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const options = { files, processes, folder: '/state', clock, timers: nodeTimers };
  return machine.until(
    openObjectStore(limitBytes === undefined ? options : { ...options, limitBytes }),
  );
}

const address = (name: string, namespace = 'default'): StoreChange['stored']['address'] => ({
  resource: 'things',
  namespace,
  name,
});

const write = (
  name: string,
  expectRevision: number,
  object: JsonObject | null = { metadata: { name } },
): Promise<WriteResult> =>
  machine.until(store.write({ address: address(name), expectRevision, object }));

const names = (list: ReturnType<ObjectStore['listAt']>): string[] | undefined =>
  list?.map(({ address: { namespace, name }, revision }) => `${namespace}/${name}@${revision}`);

/** The first `count` changes of a watch, as text. */
async function take(changes: AsyncIterable<StoreChange>, count: number): Promise<string[]> {
  const taken: string[] = [];
  for await (const { type, stored, previous } of changes) {
    const before = previous === undefined ? '' : ` after ${previous.revision}`;
    taken.push(`${type} ${stored.address.name}@${stored.revision}${before}`);
    if (taken.length === count) break;
  }
  return taken;
}

beforeEach(async () => {
  machine = new Machine();
  nowMs = 0;
  store = await open();
});

describe('the object store', () => {
  it('CLUS-O1: shows a write only after it is durable', async () => {
    const written = store.write({ address: address('a'), expectRevision: 0, object: {} });
    expect(store.get(address('a'))).toBeUndefined();
    expect(store.revision).toBe(1);
    await machine.until(written);
    expect(store.get(address('a'))?.revision).toBe(2);
    expect(machine.disk.durable('/state/journal.jsonl')).toContain('"things"');
  });

  it('CLUS-O2: refuses a write with an outdated revision', async () => {
    await write('a', 0);
    expect(await write('a', 0)).toMatchObject({ kind: 'conflict', current: { revision: 2 } });
    expect(await write('a', 1)).toMatchObject({ kind: 'conflict' });
    expect(await write('b', 3)).toEqual({ kind: 'conflict', current: undefined });
    expect(await write('a', 2)).toMatchObject({ kind: 'written', stored: { revision: 3 } });
  });

  it('CLUS-O2: accepts exactly one of several concurrent writes', async () => {
    await write('a', 0);
    const writes = ['x', 'y', 'z'].map((text) =>
      store.write({ address: address('a'), expectRevision: 2, object: { text } }),
    );
    const results = await machine.until(Promise.all(writes));
    expect(results.map(({ kind }) => kind)).toEqual(['written', 'conflict', 'conflict']);
    expect(results[1]).toMatchObject({ current: { object: { text: 'x' }, revision: 3 } });
  });

  it('CLUS-O3: sends a watcher every change after its start, once, in order', async () => {
    await write('a', 0);
    const stop = new AbortController();
    const options = { resource: 'things', fromRevision: 2, signal: stop.signal };
    const watched = take(store.watch(options), 3);
    await write('b', 0);
    await write('a', 2);
    await write('a', 4, null);
    expect(await watched).toEqual(['ADDED b@3', 'MODIFIED a@4 after 2', 'DELETED a@5 after 4']);
    expect(await take(store.watch({ ...options, fromRevision: 3 }), 2)).toHaveLength(2);
  });

  it('notifies watchers only after the writer has handled its result', async () => {
    const { signal } = new AbortController();
    const reported: string[] = [];
    const watched = take(store.watch({ resource: 'things', fromRevision: 1, signal }), 1);
    const seen = watched.then(() => reported.push('watcher'));
    const writer = async (): Promise<void> => {
      await store.write({ address: address('a'), expectRevision: 0, object: {} });
      for (let steps = 0; steps < 50; steps += 1) await Promise.resolve();
      reported.push('writer');
    };
    await machine.until(writer());
    await seen;
    expect(reported).toEqual(['writer', 'watcher']);
  });

  it('CLUS-O3: sends a watcher of one namespace only its changes, and ends with its signal', async () => {
    const stop = new AbortController();
    const options = {
      resource: 'things',
      namespace: 'other',
      fromRevision: 1,
      signal: stop.signal,
    };
    const watched = take(store.watch(options), 10);
    await write('a', 0);
    await machine.until(
      store.write({ address: address('b', 'other'), expectRevision: 0, object: {} }),
    );
    await new Promise(setImmediate);
    stop.abort();
    expect(await watched).toEqual(['ADDED b@3']);
  });

  it('CLUS-O3: rejects a watcher that falls behind with TooOldError', async () => {
    const { signal } = new AbortController();
    const changes = store.watch({ resource: 'things', fromRevision: 1, signal });
    const slow = changes[Symbol.asyncIterator]();
    await write('a', 0);
    expect(await slow.next()).toMatchObject({ value: { type: 'ADDED' } });
    await write('b', 0);
    nowMs = MAX_CHANGE_AGE_MS + 1;
    await write('c', 0);
    await expect(slow.next()).rejects.toThrow(TooOldError);
    expect(() => store.watch({ resource: 'things', fromRevision: 2, signal })).toThrow(
      'too old resource version: 2 (3)',
    );
  });

  it('CLUS-O3: keeps a bounded number of changes', async () => {
    const writes = Array.from({ length: MAX_CHANGES + 5 }, (_, number) =>
      store
        .write({ address: address(`n${number}`), expectRevision: 0, object: {} })
        .catch(() => null),
    );
    await machine.until(Promise.all(writes));
    const { signal } = new AbortController();
    expect(store.count('things')).toBeGreaterThanOrEqual(MAX_CHANGES);
    expect(() => store.watch({ resource: 'things', fromRevision: 1, signal })).toThrow(TooOldError);
  });

  it('CLUS-O4: freezes stored objects against later changes', async () => {
    const object: JsonObject = { spec: { list: [1] } };
    await write('a', 0, object);
    const stored = store.get(address('a'))?.object ?? {};
    expect(() => {
      (stored['spec'] as JsonObject)['more'] = true;
    }).toThrow(TypeError);
    expect(stored).toEqual({ spec: { list: [1] }, metadata: { resourceVersion: '2' } });
  });

  it('lists by namespace and name, in a list that later writes do not change', async () => {
    for (const [namespace, name] of [
      ['b', 'x'],
      ['a', 'z'],
      ['a-b', 'y'],
      ['a', 'b'],
    ] as const) {
      await machine.until(
        store.write({ address: address(name, namespace), expectRevision: 0, object: {} }),
      );
    }
    const list = store.list('things');
    await write('late', 0);
    expect(names(list)).toEqual(['a-b/y@4', 'a/b@5', 'a/z@3', 'b/x@2']);
    expect(names(store.list('things', 'a'))).toEqual(['a/b@5', 'a/z@3']);
    expect(store.count('things')).toBe(5);
    expect(store.resources()).toEqual(['things']);
  });

  it('returns a list as of a known revision', async () => {
    await write('a', 0);
    await write('b', 0);
    await write('a', 2);
    await write('b', 3, null);
    await write('c', 0);
    expect(names(store.listAt('things', 3))).toEqual(['default/a@2', 'default/b@3']);
    expect(names(store.listAt('things', 5))).toEqual(['default/a@4']);
    expect(names(store.listAt('things', 6))).toEqual(['default/a@4', 'default/c@6']);
    expect(store.listAt('things', 7)).toBeUndefined();
    expect(store.listAt('things', 0)).toBeUndefined();
    expect(names(store.listAt('other', 3))).toEqual([]);
  });

  it('continues its revisions after a restart without objects, and has no history then', async () => {
    await write('a', 0);
    await write('a', 2, null);
    for (let restart = 0; restart < 2; restart += 1) {
      await machine.until(store.close());
      store = await open();
      expect(store.revision).toBe(3);
    }
    const { signal } = new AbortController();
    expect(() => store.watch({ resource: 'things', fromRevision: 2, signal })).toThrow(TooOldError);
    expect(await write('a', 0)).toMatchObject({ stored: { revision: 4 } });
  });

  it('CLUS-O1, ENG-J4: accepts writes again once the disk can be written, and forgets the refused ones', async () => {
    await write('a', 0);
    machine.faults = { failure: 1, slowness: 0 };
    await expect(write('b', 0)).rejects.toThrow(
      /^error LHE009: The journal could not be written \(.+\)\. Next: Make sure that the disk is writable and has space, then try again\.$/u,
    );
    await expect(write('a', 2)).rejects.toThrow('LHE009');
    machine.faults = { failure: 0, slowness: 0 };
    expect(await write('c', 0)).toMatchObject({ kind: 'written', stored: { revision: 5 } });
    expect(await write('a', 2)).toMatchObject({ kind: 'written', stored: { revision: 6 } });
    machine.kill(process, 'power is lost');
    store = await open();
    expect(names(store.list('things'))).toEqual(['default/a@6', 'default/c@5']);
  });

  it('refuses a second owner', async () => {
    await expect(open()).rejects.toThrow('LHE008');
  });

  it.each(['power stays', 'power is lost'] as const)(
    'CLUS-O1: finds every acknowledged write after a kill at any moment, while compacting (%s)',
    async (power) => {
      const early: unknown[] = [];
      let most = 0;
      for (let events = 0; events < 80; events += 1) {
        machine = new Machine(events + 1);
        store = await open(1_000);
        const acknowledged = new Map<string, number>();
        const work = async (name: string): Promise<void> => {
          for (let revision = 0; ;) {
            const object = { metadata: { name }, filler: 'x'.repeat(100) };
            const result = await store.write({
              address: address(name),
              expectRevision: revision,
              object,
            });
            if (result.kind !== 'written') throw new Error(result.kind);
            ({ revision } = result.stored);
            acknowledged.set(name, revision);
          }
        };
        const writer = process.process;
        const fail = (error: unknown): void => {
          if (writer.alive) early.push(error);
        };
        for (const name of ['a', 'b', 'c']) work(name).catch(fail);
        await machine.pass(events);
        most = Math.max(most, acknowledged.size);
        machine.kill(process, power);
        store = await open();
        for (const [name, revision] of acknowledged) {
          expect(store.get(address(name))?.revision).toBeGreaterThanOrEqual(revision);
        }
        expect(store.revision).toBeGreaterThanOrEqual(Math.max(1, ...acknowledged.values()));
      }
      expect([early, most]).toEqual([[], 3]);
    },
  );
});
