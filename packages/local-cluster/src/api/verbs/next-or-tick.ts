import type { Timers } from '../../../../../src/platform/platform.ts';

export type NextOrTick<T> =
  | { readonly kind: 'item'; readonly item: T }
  /** Every item up to this revision has been given. */
  | { readonly kind: 'tick'; readonly revision: number };

export interface TickOptions {
  readonly timers: Timers;
  /** null: no ticks. */
  readonly everyMs: number | null;
  /** Where the revision is read from. */
  readonly store: { readonly revision: number };
}

/**
 * The items, and between them a tick every so often; one that is due while the reader is busy with an
 * item is left out. The revision of a tick is read one turn of the event loop before the tick is given:
 * an item that belongs to it has arrived by then, since it waits for nothing beyond this process, and
 * goes first.
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
  /** Replaced by whoever waits next: a promise that all of them wait for would remember each. */
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

  /** There may be more: a tick that is about to come would be too early. */
  itemCame(): void {
    if (!this.#settling) return;
    this.#callOff();
    this.#settle();
  }

  stop(): void {
    this.#callOff();
  }
}
