import type { Timers } from '../../../../../src/platform/platform.ts';

export type NextOrTick<T> =
  | { readonly kind: 'item'; readonly item: T }
  /** Every item up to this revision has been yielded. */
  | { readonly kind: 'tick'; readonly revision: number };

export interface TickOptions {
  readonly timers: Timers;
  /** Milliseconds between ticks; null: never. */
  readonly everyMs: number | null;
  /** The source of the revision. */
  readonly store: { readonly revision: number };
}

/**
 * Yields the items, and between them periodic ticks; a tick that becomes due while the reader handles an item
 * is omitted. The revision of a tick is read one turn of the event loop before the tick is yielded: an item of
 * that revision has arrived by then, since it depends on nothing outside this process, and is yielded first.
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
  /** Replaced by each new waiter: a promise shared by all waiters would keep a reaction for each. */
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

  /** More items may follow: a pending tick would be too early. */
  itemCame(): void {
    if (!this.#settling) return;
    this.#callOff();
    this.#settle();
  }

  stop(): void {
    this.#callOff();
  }
}
