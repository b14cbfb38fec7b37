import type { Ledger } from '../engine/ledger.ts';
import type { RunRecord } from '../model/attempt.ts';
import { LifehookError } from '../model/problem.ts';
import type { Files } from '../platform/platform.ts';
import { Journal } from './journal.ts';
import type { ProcessTable } from './process-table.ts';
import { RunIndex, type RunSummary } from './run-index.ts';

export interface FileLedgerOptions {
  readonly files: Files;
  /** Directory of the journal and its lock; created if it does not exist. */
  readonly folder: string;
  readonly processes: ProcessTable;
  /**
   * File size in bytes from which old settled runs lose their output, and then are dropped except for their ids.
   * Unsettled runs count towards it, but stay as they are.
   */
  readonly limitBytes?: number;
  /** Whether records are accepted again once the disk can be written (ENG-J4). Absent: false. */
  readonly recovers?: boolean;
}

/** The ledger of one machine: runs in a journal, with an index in memory. Only one process at a time can open it. */
export class FileLedger implements Ledger {
  readonly #journal: Journal;
  readonly #index: RunIndex;

  private constructor(journal: Journal, index: RunIndex) {
    this.#journal = journal;
    this.#index = index;
  }

  static async open(options: FileLedgerOptions): Promise<FileLedger> {
    const index = new RunIndex();
    return new FileLedger(await Journal.open({ ...options, index }), index);
  }

  async read(runId: string): Promise<readonly RunRecord[]> {
    return this.#index.read(runId);
  }

  /** Refuses to open a run that had settled and was dropped: it would be executed twice (ENG-E11). */
  append(record: RunRecord): Promise<void> {
    if (record.type === 'RunOpened' && this.#index.wasDropped(record.runId)) {
      return Promise.reject(droppedBefore(record.runId));
    }
    return this.#journal.append(record);
  }

  /** Summaries of runs, newest first. */
  runs({ limit }: { limit: number }): RunSummary[] {
    return this.#index.summaries().slice(0, limit);
  }

  /** Runs to resume after a restart, before a new run starts; oldest first. */
  unsettled(): RunSummary[] {
    return this.#index
      .summaries()
      .filter(({ settled }) => settled === null)
      .toReversed();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

function droppedBefore(runId: string): LifehookError {
  return new LifehookError({
    code: 'LHE013',
    message: `Run ${runId} has been completed, and its records were dropped to limit the size of the journal.`,
    next: 'To run the same hooks again, open a run under another id.',
  });
}
