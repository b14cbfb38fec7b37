/**
 * Remembers the delivered lines of a log, so that a broken follow resumes without losing or repeating one. Servers
 * accept only whole seconds for `sinceTime`, so lines around the break are sent again. They are recognised by their
 * nanoseconds: of the lines with the same time, as many are skipped as were delivered.
 *
 * stdout and stderr are written in parallel, so times may be slightly out of order. One more second is therefore
 * requested and remembered. If a node's clock is set back, lines may be delivered twice.
 */

/**
 * Maximum number of remembered times of the last two seconds. If there are more, the earlier ones count as delivered.
 */
export const timesMax = 100_000;
const marginSeconds = 1;

export class LogMemory {
  /** For each time, the number of delivered lines; in the order of delivery. */
  readonly #delivered: Map<string, Delivered> = new Map();
  /** Replayed lines up to this time count as delivered; their times are no longer remembered one by one. */
  #forgotten = '';
  #lastSeconds: number | null = null;
  /** For each time in the current replay: the number of lines that are still skipped. */
  #repeats: Map<string, number> = new Map();
  #repeatsLeft = 0;

  /** The number of remembered times. */
  get size(): number {
    return this.#delivered.size;
  }

  /** Returns whether the line is new, and counts it as delivered. */
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

  /** The time from which to resume after a break; null: nothing was delivered yet. */
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
 * The time that a server puts before a log line: RFC 3339 with nanoseconds. The node chooses the time zone and the
 * number of decimals. It stays a string; `key` is its sortable form.
 */
export interface Stamp {
  /** The server's text. */
  readonly text: string;
  /** Seconds since the epoch and nine decimals: "01700000000.000000001". */
  readonly key: string;
  readonly seconds: number;
}

/** null: the line does not begin with a time. */
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
/** Number of digits for the seconds since the epoch, sufficient until the year 5138. */
const secondDigits = 11;
