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
