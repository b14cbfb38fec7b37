import { afterEach, expect, it, vi } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import { BarStore, type StoreItem } from '../bar-store.ts';
import { exportOf } from '../timeline-service.ts';
import { sseText } from '../sse-text.ts';
import { Feed } from './feed.ts';
import { Timeline } from './timeline.ts';
import { placeOf } from './view.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const none = (): void => {};
const clock = { nowMs: () => 1_000 };
const bar = (id: string, startMs: number) => sampleBar(id, { startMs, endMs: startMs + 1 });

async function* itemsOf(store: BarStore, after: number): AsyncGenerator<StoreItem, void> {
  const stopping = new AbortController();
  for await (const item of store.subscribe(after, stopping.signal)) {
    yield item;
    if (item.seq === store.seq) stopping.abort();
  }
}

it('counts the spans that the server drops while the page is open', async () => {
  const listeners = new Map<string, (event: { data: string }) => void>();
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener = (name: string, listener: (event: { data: string }) => void): void => {
        listeners.set(name, listener);
      };
      close = none;
    },
  );
  const store = new BarStore({ clock, maxBars: 3 });
  for (const id of [1, 2, 3]) store.put(bar(`${id}`, id));
  vi.stubGlobal('fetch', async () => Response.json(exportOf({ store, clock })));
  const world = { monotonicMs: () => 0, after: () => none };
  const timeline = new Timeline(world, placeOf(''));
  const feed = new Feed(world, timeline);
  await feed.start();
  const { seq } = store;
  store.put(bar('4', 4));
  expect(store.forgotten).toBe(2);
  const timers = { after: () => none };
  const { signal } = new AbortController();
  for await (const text of sseText(itemsOf(store, seq), { clock, timers, signal })) {
    const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(text) ?? [];
    listeners.get(name)?.({ data });
  }
  feed.stop();
  const { bars, forgotten } = timeline.scene();
  expect([bars.map(({ id }) => id), forgotten]).toEqual([['3', '4'], 2]);
});
