import type { Ledger } from '../engine/ledger.ts';
import type { RunRecord } from '../model/attempt.ts';

/** Of one run, for as long as it takes. */
export class MemoryLedger implements Ledger {
  readonly #records: RunRecord[] = [];

  async read(runId: string): Promise<readonly RunRecord[]> {
    return this.#records.filter((record) => record.runId === runId);
  }

  async append(record: RunRecord): Promise<void> {
    this.#records.push(record);
  }
}
