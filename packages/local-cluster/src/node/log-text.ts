/** Records of a container's log as `kubectl logs` shows them. Pure. */

export interface LogRecord {
  /** RFC 3339 with nanoseconds. */
  readonly time: string;
  /** With its line end, unless the line goes on in the next record. */
  readonly text: string;
  readonly endsLine: boolean;
}

/** `<time> <stdout|stderr> <F|P> <text>`; null: not a record. */
export function parseRecord(line: string): LogRecord | null {
  const [, time, mark, text = ''] = /^(\S+) (?:stdout|stderr) ([FP]) (.*)$/s.exec(line) ?? [];
  if (time === undefined) return null;
  const endsLine = mark === 'F';
  return { time, text: endsLine ? `${text}\n` : text, endsLine };
}

/** The last so many lines of what is added; a line may be several records. */
export class LastLines {
  readonly #max: number;
  #records: LogRecord[] = [];
  #ends = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(record: LogRecord): void {
    this.#records.push(record);
    if (record.endsLine) this.#ends += 1;
    const open = record.endsLine ? 0 : 1;
    while (this.#ends + open > this.#max && this.#records.length > 0) {
      const first = this.#records.shift();
      if (first?.endsLine === true) this.#ends -= 1;
    }
  }

  take(): readonly LogRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#ends = 0;
    return records;
  }
}
