import type { Ledger } from '../../src/engine/ledger.ts';
import type { RunRecord } from '../../src/model/attempt.ts';

/** A ledger without a disk; `beforeAppend` may delay it, or throw. */
export class MemoryLedger implements Ledger {
  readonly records: RunRecord[] = [];
  beforeAppend: (record: RunRecord) => Promise<void> | void = () => {};

  async read(runId: string): Promise<readonly RunRecord[]> {
    return this.records.filter((record) => record.runId === runId);
  }

  async append(record: RunRecord): Promise<void> {
    await this.beforeAppend(record);
    this.records.push(record);
  }
}
