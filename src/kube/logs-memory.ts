/**
 * Which lines of a log have been delivered, so that a broken follow can go on without losing or
 * repeating one. Servers take only whole seconds for `sinceTime`, so the lines around the break come
 * again, and are told by their nanoseconds: as often as a time was delivered, so often it is passed over.
 *
 * stdout and stderr are written side by side, so times may be a little out of order; hence the second
 * more that is asked for and remembered. Where a node's clock is set back, lines may come twice.
 */

/** Times remembered, of the last two seconds; past it, a time that is earlier counts as delivered. */
export const timesMax = 100_000;
const marginSeconds = 1;

export class LogMemory {
  /** How often each time was delivered, in the order of delivery. */
  readonly #delivered: Map<string, Delivered> = new Map();
  /** Replayed lines until this time are delivered, though no longer remembered one by one. */
  #forgotten = '';
  #lastSeconds: number | null = null;
  /** Of the replay that is under way: how often each time is still to be passed over. */
  #repeats: Map<string, number> = new Map();
  #repeatsLeft = 0;

  /** Times that are remembered. */
  get size(): number {
    return this.#delivered.size;
  }

  /** Whether the line is new; it then counts as delivered. */
  take(stamp: Stamp): boolean {
    if (stamp.key <= this.#forgotten && this.#repeatsLeft > 0) return false;
    const repeats = this.#repeats.get(stamp.key) ?? 0;
    if (repeats > 0) {
      this.#repeats.set(stamp.key, repeats - 1);
      this.#repeatsLeft -= 1;
      return false;
    }
    this.#remember(stamp);
    return true;
  }

  /** Where to go on from, after a break; null: nothing was delivered yet. */
  resumeFrom(): string | null {
    if (this.#lastSeconds === null) return null;
    this.#repeats = new Map();
    this.#repeatsLeft = 0;
    for (const [key, { times }] of this.#delivered) {
      this.#repeats.set(key, times);
      this.#repeatsLeft += times;
    }
    return new Date((this.#lastSeconds - marginSeconds) * 1000).toISOString();
  }

  #remember({ key, seconds }: Stamp): void {
    if (key < this.#forgotten) this.#forgotten = '';
    const times = this.#delivered.get(key)?.times ?? 0;
    this.#delivered.set(key, { times: times + 1, seconds });
    this.#lastSeconds = seconds;
    for (const [oldest, delivered] of this.#delivered) {
      const isFull = this.#delivered.size > timesMax;
      if (!isFull && delivered.seconds >= seconds - marginSeconds) return;
      this.#delivered.delete(oldest);
      if (isFull && oldest > this.#forgotten) this.#forgotten = oldest;
    }
  }
}

interface Delivered {
  readonly times: number;
  readonly seconds: number;
}

/**
 * The times that servers put before the lines of a log: RFC 3339 with nanoseconds, in whatever zone and
 * with as many decimals as the node writes. They stay strings; `key` puts them in one form that sorts.
 */
export interface Stamp {
  /** As the server wrote it. */
  readonly text: string;
  /** Seconds since the epoch and nine decimals: "01700000000.000000001". */
  readonly key: string;
  readonly seconds: number;
}

/** Null: the line begins with none. */
export function readStamp(line: Uint8Array): Stamp | null {
  const found = stampPattern.exec(String.fromCharCode(...line.subarray(0, stampBytesMax)));
  if (found === null) return null;
  const [whole, second = '', decimals = '', zone = ''] = found;
  const seconds = Date.parse(`${second}${zone}`) / 1000;
  if (Number.isNaN(seconds)) return null;
  const key = `${String(seconds).padStart(secondDigits, '0')}.${decimals.padEnd(9, '0')}`;
  return { text: whole.slice(0, -1), key, seconds };
}

const stampPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;
const stampBytesMax = 40;
/** Enough until the year 5138. */
const secondDigits = 11;
