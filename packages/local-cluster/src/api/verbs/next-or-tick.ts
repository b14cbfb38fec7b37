import type { Timers } from '../../../../../src/platform/platform.ts';

export type NextOrTick<T> =
  | { readonly kind: 'item'; readonly item: T }
  /** Every item up to this revision has been yielded. */
  | { readonly kind: 'tick'; readonly revision: number };

export interface TickOptions {
  readonly timers: Timers;
  /** Milliseconds between ticks; null for no ticks. */
  readonly everyMs: number | null;
  /** Store whose current revision a tick reports. */
  readonly store: { readonly revision: number };
}

/**
 * Yields the items, and periodic ticks between them.
 *
 * A tick that becomes due while the reader handles an item is omitted. A tick reports the revision that the store had
 * one turn of the event loop before. So an item of that revision is yielded before the tick: it arrives in that turn.
 */
export async function* nextOrTick<T>(
  items: AsyncIterator<T>,
  options: TickOptions,
): AsyncGenerator<NextOrTick<T>> {
  const ticker = new Ticker(options);
  try {
    for (let next = items.next(); ;) {
      const waiting = next;
      const first = await new Promise<IteratorResult<T> | number>((resolve, reject) => {
        ticker.onTick = resolve;
        waiting.then(resolve, reject);
      });
      if (typeof first === 'number') {
        yield { kind: 'tick', revision: first };
        continue;
      }
      if (first.done === true) return;
      ticker.itemCame();
      yield { kind: 'item', item: first.value };
      next = items.next();
    }
  } finally {
    ticker.stop();
  }
}

class Ticker {
  /**
   * Called with the revision of a tick. Each wait sets its own callback, so that callbacks of earlier waits are freed.
   */
  onTick: (revision: number) => void = () => undefined;
  readonly #options: TickOptions;
  #callOff: () => void = () => undefined;
  #settling = false;

  constructor(options: TickOptions) {
    this.#options = options;
    this.#wait();
  }

  #wait(): void {
    const { timers, everyMs } = this.#options;
    this.#settling = false;
    if (everyMs === null) return;
    this.#callOff = timers.after(everyMs, () => {
      this.#settle();
    });
  }

  #settle(): void {
    const { timers, store } = this.#options;
    const { revision } = store;
    this.#settling = true;
    this.#callOff = timers.after(0, () => {
      this.#wait();
      this.onTick(revision);
    });
  }

  /** Postpones a pending tick by a turn, because more items may follow. Call it when an item has arrived. */
  itemCame(): void {
    if (!this.#settling) return;
    this.#callOff();
    this.#settle();
  }

  stop(): void {
    this.#callOff();
  }
}
