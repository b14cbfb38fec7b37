import type { RunRecord } from '../../../src/model/attempt.ts';
import type { SimDisk } from '../disk.ts';

export const FOLDER = '/sim';
const JOURNAL = `${FOLDER}/journal.jsonl`;

/** The journal as it lies on the disk, read without the reader that is under test: whatever is whole. */
export class JournalView {
  readonly #disk: SimDisk;
  readonly #read = new Map<string, ReadonlyMap<string, readonly RunRecord[]>>();

  constructor(disk: SimDisk) {
    this.#disk = disk;
  }

  /** A run's records that a power failure at this moment would leave for certain. */
  durable(runId: string): readonly RunRecord[] {
    return this.#recordsIn(this.#disk.durable(JOURNAL)).get(runId) ?? [];
  }

  /** A run's records that a new process would find if only this one died. */
  visible(runId: string): readonly RunRecord[] {
    return this.#recordsIn(this.#disk.visible(JOURNAL)).get(runId) ?? [];
  }

  /** The judges ask often between two changes; only the last contents are remembered. */
  #recordsIn(content: string): ReadonlyMap<string, readonly RunRecord[]> {
    const known = this.#read.get(content);
    if (known !== undefined) return known;
    const records = byRun(parse(content));
    if (this.#read.size >= REMEMBERED) this.#read.clear();
    this.#read.set(content, records);
    return records;
  }
}

const REMEMBERED = 4;

function parse(content: string): RunRecord[] {
  return content
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return (JSON.parse(line) as { batch: RunRecord[] }).batch;
      } catch {
        return [];
      }
    });
}

function byRun(records: readonly RunRecord[]): Map<string, RunRecord[]> {
  const runs = new Map<string, RunRecord[]>();
  for (const record of records) {
    const known = runs.get(record.runId);
    if (known === undefined) runs.set(record.runId, [record]);
    else known.push(record);
  }
  return runs;
}
