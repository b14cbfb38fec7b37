import type { RunRecord } from '../model/attempt.ts';
import type { Ledger } from './ledger.ts';

/** Keeps its records in memory: they are lost with the process. */
export class MemoryLedger implements Ledger {
  readonly #records: RunRecord[] = [];

  /** Of all runs, in the order in which they were appended. */
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
