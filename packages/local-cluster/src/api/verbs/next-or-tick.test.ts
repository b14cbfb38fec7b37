import { describe, expect, it } from 'vitest';

import type { Timers } from '../../../../../src/platform/platform.ts';
import { nextOrTick } from './next-or-tick.ts';

/** Timers that a test fires by hand. */
class HandTimers implements Timers {
  readonly due: { ms: number; callback: () => void }[] = [];

  after(ms: number, callback: () => void): () => void {
    const timer = { ms, callback };
    this.due.push(timer);
    return () => {
      const at = this.due.indexOf(timer);
      if (at !== -1) this.due.splice(at, 1);
    };
  }

  fire(): void {
    this.due.shift()?.callback();
  }
}

/** Items that arrive when the test adds them, like changes of the store. */
class HandItems implements AsyncIterator<number> {
  readonly #waiting: ((result: IteratorResult<number>) => void)[] = [];
  readonly #given: number[] = [];

  next(): Promise<IteratorResult<number>> {
    const value = this.#given.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  give(value: number): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#given.push(value);
    else waiting({ value, done: false });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(everyMs: number | null): {
  timers: HandTimers;
  items: HandItems;
  store: { revision: number };
  reported: string[];
} {
  const timers = new HandTimers();
  const items = new HandItems();
  const store = { revision: 1 };
  const reported: string[] = [];
  const report = async (): Promise<void> => {
    for await (const next of nextOrTick(items, { timers, everyMs, store })) {
      reported.push(next.kind === 'item' ? `item ${next.item}` : `tick ${next.revision}`);
    }
  };
  void report();
  return { timers, items, store, reported };
}

describe('nextOrTick', () => {
  it('ticks with the current revision while no item arrives, and then continues', async () => {
    const { timers, items, store, reported } = start(60_000);
    timers.fire();
    timers.fire();
    await turn();
    items.give(2);
    await turn();
    store.revision = 7;
    timers.fire();
    timers.fire();
    await turn();
    expect(reported).toEqual(['tick 1', 'item 2', 'tick 7']);
  });

  it('yields an item of the same revision before the tick', async () => {
    const { timers, items, store, reported } = start(60_000);
    store.revision = 5;
    items.give(4);
    items.give(5);
    timers.fire();
    await turn();
    timers.fire();
    await turn();
    expect(reported).toEqual(['item 4', 'item 5', 'tick 5']);
  });

  it('never goes back: an item that arrives before a tick raises the revision of the tick', async () => {
    const { timers, items, store, reported } = start(60_000);
    timers.fire();
    store.revision = 2;
    items.give(2);
    await turn();
    timers.fire();
    await turn();
    expect(reported).toEqual(['item 2', 'tick 2']);
  });

  it('never ticks without an interval', async () => {
    const { timers, items, reported } = start(null);
    items.give(1);
    await turn();
    expect(timers.due).toEqual([]);
    expect(reported).toEqual(['item 1']);
  });
});
