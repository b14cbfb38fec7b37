import { describe, expect, it } from 'vitest';

import { snapshotBar as bar } from '../../test/fixtures/timeline/sample-bar.ts';
import type { Bar } from './bar.ts';
import { BarStore, type StoreItem } from './bar-store.ts';

const clock = { nowMs: () => 1_000 };

/** Reads the changes after this number until there are no more for now. */
async function reported(store: BarStore, after: number): Promise<string[]> {
  const items: StoreItem[] = [];
  const stop = new AbortController();
  for await (const item of store.subscribe(after, stop.signal)) {
    items.push(item);
    if (item.seq === store.seq) stop.abort();
  }
  return items.map((item) => {
    if (item.kind === 'bar') return `bar ${(JSON.parse(item.text) as Bar).id}`;
    return item.kind === 'gone' ? `gone ${item.id}` : item.kind;
  });
}

const idsIn = (store: BarStore): string[] => [...store.all()].map((one) => one.bar.id);

describe('BarStore', () => {
  it('sends a returning subscriber what it missed, each span once and in its newest state (TIME-T2)', async () => {
    const store = new BarStore({ clock });
    const begin = store.seq;
    store.put(bar('a', { outcome: 'Running', endMs: null }));
    store.put(bar('b'));
    store.put(bar('a'));
    expect(await reported(store, begin)).toEqual(['bar b', 'bar a']);
    expect(await reported(store, begin + 2)).toEqual(['bar a']);
  });

  it('distinguishes spans of objects whose names are as long as Kubernetes allows', () => {
    const store = new BarStore({ clock });
    const longest = `frozen/${'n'.repeat(63)}/${'h'.repeat(253)}/${'u'.repeat(36)}/${'c'.repeat(63)}`;
    store.put(bar(`${longest}/1764000000000`));
    store.put(bar(`${longest}/1764000000001`));
    expect(idsIn(store)).toHaveLength(2);
    expect(store.get(`${longest}/1764000000000`)).toBeDefined();
  });

  it('records no change when an equal span is put again', () => {
    const store = new BarStore({ clock });
    store.put(bar('a'));
    const { seq } = store;
    store.put(bar('a'));
    expect(store.seq).toBe(seq);
  });

  it('resets a subscriber that is too late or that comes from another process (TIME-T1, TIME-T2)', async () => {
    const store = new BarStore({ clock, maxChanges: 2 });
    const begin = store.seq;
    for (const id of ['a', 'b', 'c', 'd', 'e']) store.put(bar(id));
    expect(await reported(store, begin)).toEqual(['reset']);
    expect(await reported(store, 3)).toEqual(['reset']);
    expect(await reported(store, store.seq + 9)).toEqual(['reset']);
    const next = new BarStore({ clock: { nowMs: () => 1_001 } });
    expect(next.seq).toBeGreaterThan(store.seq);
  });

  it('wakes a subscriber that has read everything when a span is put', async () => {
    const store = new BarStore({ clock });
    const changes = store.subscribe(store.seq, new AbortController().signal);
    const next = changes.next();
    store.put(bar('a'));
    expect(await next).toMatchObject({ done: false, value: { kind: 'bar', seq: store.seq } });
    await changes.return();
  });

  it('deletes the oldest spans beyond its limit, and open ones last (TIME-T3)', async () => {
    const store = new BarStore({ clock, maxBars: 10 });
    store.put(bar('frozen', { kind: 'frozen', startMs: 0, endMs: null, outcome: 'Running' }));
    for (let number = 1; number <= 9; number += 1) store.put(bar(`${number}`, { startMs: number }));
    const { seq } = store;
    store.put(bar('10', { startMs: 10 }));
    expect(idsIn(store)).toEqual(['frozen', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(store.forgotten).toBe(2);
    expect(await reported(store, seq)).toEqual(['bar 10', 'gone 1', 'gone 2']);
  });

  it('deletes old spans beyond the limit of their text, and no more until it is reached again (TIME-T3)', () => {
    const store = new BarStore({ clock });
    // 48 000 units a span; the limit is 33 554 432 units.
    const evidence = Object.fromEntries(
      Array.from({ length: 24 }, (_, index) => [`key ${index}`, 'x'.repeat(2_000)]),
    );
    for (let number = 1; store.forgotten === 0; number += 1) {
      store.put(bar(`${number}`, { startMs: number, evidence }));
    }
    const { forgotten } = store;
    store.put(bar('a', { startMs: 1_000_000 }));
    expect(store.forgotten).toBe(forgotten);
    expect(store.get('a')).toBeDefined();
    expect(idsIn(store).length).toBeGreaterThan(600);
  });

  it('keeps only the tail of a long output', () => {
    const store = new BarStore({ clock });
    store.put(bar('a', { stdout: `${'x'.repeat(1_000_000)}end` }));
    const kept = store.get('a')?.stdout ?? '';
    expect(kept.length).toBeLessThan(10_000);
    expect(kept.endsWith('xend')).toBe(true);
  });

  it('notifies a source only when its state has changed', async () => {
    const store = new BarStore({ clock });
    const begin = store.seq;
    store.setSource('cluster', null);
    store.setSource('cluster', null);
    store.setSource('cluster', 'it cannot be reached');
    expect(store.seq).toBe(begin + 2);
    expect(await reported(store, begin + 1)).toEqual(['sources']);
    expect(store.sources()).toEqual([{ name: 'cluster', problem: 'it cannot be reached' }]);
  });
});
