import type { RunRecord } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import type { Ledger } from './ledger.ts';

/**
 * One run's records while it runs: appended one after the other, kept in memory once they are
 * durable, then told to the listener. After one append has failed every later one fails with the same
 * error, because nobody knows what the ledger holds.
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

  /** Why the listener is told nothing any more; null: it is. */
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

  /** Resolves when everything appended so far is durable; rejects when one of them is not. */
  flushed(): Promise<void> {
    return this.#lastAppend;
  }

  /** A listener that throws is dropped: a full terminal must not leave a volume frozen. */
  tell(event: RunEvent): void {
    if (this.#listenerError !== null) return;
    try {
      this.#emit?.(event);
    } catch (error) {
      this.#listenerError = String(error);
    }
  }
}
