import type { RunRecord } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import type { Ledger } from './ledger.ts';

/**
 * The records of one running run: appended one after the other, kept in memory once they are durable, then passed to
 * the listener. After a failed append every later one fails with the same error, since the content of the ledger is
 * unknown.
 */
export class RunLog {
  readonly #ledger: Ledger;
  readonly #emit: ((event: RunEvent) => void) | undefined;
  readonly #records: RunRecord[];
  #lastAppend: Promise<void> = Promise.resolve();
  #listenerError: string | null = null;

  private constructor(
    records: readonly RunRecord[],
    { ledger, emit }: { ledger: Ledger; emit?: ((event: RunEvent) => void) | undefined },
  ) {
    this.#records = [...records];
    this.#ledger = ledger;
    this.#emit = emit;
  }

  static async open(
    runId: string,
    options: { ledger: Ledger; emit?: ((event: RunEvent) => void) | undefined },
  ): Promise<RunLog> {
    return new RunLog(await options.ledger.read(runId), options);
  }

  get records(): readonly RunRecord[] {
    return this.#records;
  }

  /** The error that the listener threw, after which it is no longer called; null: none. */
  get listenerError(): string | null {
    return this.#listenerError;
  }

  /** Resolves when the record is durable. */
  append(record: RunRecord): Promise<void> {
    this.#lastAppend = this.#appendAfter(this.#lastAppend, record);
    return this.#lastAppend;
  }

  async #appendAfter(previous: Promise<void>, record: RunRecord): Promise<void> {
    await previous;
    await this.#ledger.append(record);
    this.#records.push(record);
    this.tell(record);
  }

  /** Resolves when all appended records are durable; rejects if one of them is not. */
  flushed(): Promise<void> {
    return this.#lastAppend;
  }

  /** A listener that throws is dropped: an error of the terminal must not leave a volume frozen. */
  tell(event: RunEvent): void {
    if (this.#listenerError !== null) return;
    try {
      this.#emit?.(event);
    } catch (error) {
      this.#listenerError = String(error);
    }
  }
}
