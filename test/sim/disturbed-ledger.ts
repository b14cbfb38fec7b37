import { type Ledger, MemoryLedger } from '../../src/engine/ledger.ts';
import type { RunRecord } from '../../src/model/attempt.ts';

/** A ledger in memory whose appends a test can delay or fail with `beforeAppend`. */
export class DisturbedLedger implements Ledger {
  readonly #memory = new MemoryLedger();
  beforeAppend: (record: RunRecord) => Promise<void> | void = () => {};

  get records(): readonly RunRecord[] {
    return this.#memory.records;
  }

  read(runId: string): Promise<readonly RunRecord[]> {
    return this.#memory.read(runId);
  }

  async append(record: RunRecord): Promise<void> {
    await this.beforeAppend(record);
    await this.#memory.append(record);
  }
}
