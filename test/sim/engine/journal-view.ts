import type { RunRecord } from '../../../src/model/attempt.ts';
import type { SimDisk } from '../disk.ts';

export const FOLDER = '/sim';
const JOURNAL = `${FOLDER}/journal.jsonl`;

type ByRun = ReadonlyMap<string, readonly RunRecord[]>;

/**
 * All complete records of the journal on the disk. It does not use the product's reader, which is under test. It caches
 * parsed lines, since judges ask often and a changed file differs by a line.
 */
export class JournalView {
  readonly #disk: SimDisk;
  readonly #lines = new Map<string, readonly RunRecord[]>();
  #durable: { readonly content: string; readonly runs: ByRun } = { content: '', runs: new Map() };
  #visible: { readonly content: string; readonly runs: ByRun } = { content: '', runs: new Map() };

  constructor(disk: SimDisk) {
    this.#disk = disk;
  }

  /** Records of a run that certainly survive a power failure at this moment. */
  durable(runId: string): readonly RunRecord[] {
    const content = this.#disk.durable(JOURNAL);
    if (content !== this.#durable.content) {
      this.#durable = { content, runs: this.#recordsIn(content) };
    }
    return this.#durable.runs.get(runId) ?? [];
  }

  /** Records of a run that a new process would find if only the present process died. */
  visible(runId: string): readonly RunRecord[] {
    const content = this.#disk.visible(JOURNAL);
    if (content !== this.#visible.content) {
      this.#visible = { content, runs: this.#recordsIn(content) };
    }
    return this.#visible.runs.get(runId) ?? [];
  }

  #recordsIn(content: string): ByRun {
    const runs = new Map<string, RunRecord[]>();
    for (const line of content.split('\n').slice(0, -1)) {
      for (const record of this.#recordsOf(line)) {
        const known = runs.get(record.runId);
        if (known === undefined) runs.set(record.runId, [record]);
        else known.push(record);
      }
    }
    return runs;
  }

  #recordsOf(line: string): readonly RunRecord[] {
    const known = this.#lines.get(line);
    if (known !== undefined) return known;
    const records = parse(line);
    this.#lines.set(line, records);
    return records;
  }
}

function parse(line: string): RunRecord[] {
  try {
    return (JSON.parse(line) as { batch: RunRecord[] }).batch;
  } catch {
    return [];
  }
}
