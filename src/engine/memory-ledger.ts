import type { RunRecord } from '../model/attempt.ts';
import type { Ledger } from './ledger.ts';

/** Stores its records in memory: they are lost with the process. */
export class MemoryLedger implements Ledger {
  readonly #records: RunRecord[] = [];

  /** The records of all runs, in append order. */
  get records(): readonly RunRecord[] {
    return this.#records;
  }

  async read(runId: string): Promise<readonly RunRecord[]> {
    return this.#records.filter((record) => record.runId === runId);
  }

  async append(record: RunRecord): Promise<void> {
    this.#records.push(record);
  }
}
