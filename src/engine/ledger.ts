import type { RunRecord } from '../model/attempt.ts';

/**
 * Storage for the records of a run that a process drives from start to end: a file journal (pipeline, container, local
 * node), a spool file, or memory. Controllers keep the same records in the status of an object, which they write
 * themselves (docs/decisions/one-spine.md).
 */
export interface Ledger {
  /** All records of this run, in append order. */
  read(runId: string): Promise<readonly RunRecord[]>;
  /** Resolves when the record is durable. After a rejection it may or may not be. */
  append(record: RunRecord): Promise<void>;
}

/** Stores the records in memory only: they are lost when the process exits. */
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
