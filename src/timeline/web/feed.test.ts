import { afterEach, expect, it, vi } from 'vitest';

import type { Bar, BarPage } from '../bar.ts';
import { Feed, type FeedListener } from './feed.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const bar = (id: string): Bar => ({
  id,
  lifecycle: 'pod',
  lane: 'shop/web',
  kind: 'hook',
  run: 'web',
  point: 'preStop',
  name: 'drain',
  attempt: 1,
  startMs: 100,
  endMs: 200,
  outcome: 'Succeeded',
});

const none = (): void => {};

const NOTHING: FeedListener = {
  all: none,
  changed: none,
  removed: none,
  sources: none,
  synced: none,
  live: none,
  lost: none,
};

it('reads all spans again when the server has dropped some between two pages', async () => {
  const rest = { now: 0, sources: [] };
  const pages: BarPage[] = [
    { ...rest, bars: [bar('dropped')], seq: 1, truncated: true },
    { ...rest, bars: [bar('kept')], seq: 4, truncated: false, forgotten: 1 },
    { ...rest, bars: [bar('kept')], seq: 4, truncated: false, forgotten: 1 },
  ];
  vi.stubGlobal('fetch', async () => Response.json(pages.shift()));
  vi.stubGlobal(
    'EventSource',
    class {
      addEventListener = none;
      close = none;
    },
  );
  const read: string[][] = [];
  const listener: FeedListener = {
    ...NOTHING,
    all: ({ bars }) => {
      read.push(bars.map(({ id }) => id));
    },
  };
  const feed = new Feed({ monotonicMs: () => 0, after: () => none }, listener);
  await feed.start();
  feed.stop();
  expect(read).toEqual([['kept']]);
});

it('waits longer each time while the server refuses to send changes, as it does to the 33rd page', async () => {
  const page: BarPage = { bars: [], seq: 1, truncated: false, now: 0, sources: [] };
  vi.stubGlobal('fetch', async () => Response.json(page));
  const opened: { onerror: () => void }[] = [];
  vi.stubGlobal(
    'EventSource',
    class {
      static CLOSED = 2;
      readyState = 2;
      onerror = none;
      addEventListener = none;
      close = none;
      constructor() {
        opened.push(this);
      }
    },
  );
  const waits: number[] = [];
  const after = (ms: number): (() => void) => {
    waits.push(ms);
    return none;
  };
  const feed = new Feed({ monotonicMs: () => 0, after }, NOTHING);
  for (let tries = 0; tries < 3; tries += 1) {
    await feed.start();
    opened.at(-1)?.onerror();
  }
  expect(waits).toEqual([500, 1_000, 2_000]);
});
