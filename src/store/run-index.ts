import type { RunOutcome, RunRecord } from '../model/attempt.ts';
import type { JournalIndex } from './journal.ts';

/** One run as a list shows it. */
export interface RunSummary {
  readonly runId: string;
  readonly title: string;
  readonly openedAtMs: number;
  readonly deadlineAtMs: number | null;
  /** null: under way, or its process went away. */
  readonly settled: {
    readonly atMs: number;
    readonly outcome: RunOutcome;
    readonly reason: string;
  } | null;
}

interface KnownRun {
  readonly records: RunRecord[];
  bytes: number;
}

/**
 * The runs of a journal, in memory. A run that has not settled is never forgotten; of the settled
 * ones those that settled first go first.
 */
export class RunIndex implements JournalIndex {
  readonly #runs = new Map<string, KnownRun>();
  /** In the order of settling. */
  readonly #settled = new Set<string>();
  #bytes = 0;

  add(value: unknown, bytes: number): void {
    // The journal holds what FileLedger appended, and its checksums say that it is unchanged.
    const record = value as RunRecord;
    let run = this.#runs.get(record.runId);
    if (run === undefined) {
      // What comes late for a run that was forgotten must not bring a part of it back.
      if (record.type !== 'RunOpened') return;
      run = { records: [], bytes: 0 };
      this.#runs.set(record.runId, run);
    }
    run.records.push(record);
    run.bytes += bytes;
    this.#bytes += bytes;
    if (record.type === 'RunSettled') this.#settled.add(record.runId);
  }

  /** The settled runs come first and in the order of settling, which a replay so finds again. */
  shrink(maxBytes: number): readonly RunRecord[] {
    for (const runId of this.#settled) {
      if (this.#bytes <= maxBytes) break;
      this.#forget(runId);
    }
    const unsettled = [...this.#runs.keys()].filter((runId) => !this.#settled.has(runId));
    return [...this.#settled, ...unsettled].flatMap((runId) => this.read(runId));
  }

  #forget(runId: string): void {
    this.#bytes -= this.#runs.get(runId)?.bytes ?? 0;
    this.#runs.delete(runId);
    this.#settled.delete(runId);
  }

  read(runId: string): readonly RunRecord[] {
    return [...(this.#runs.get(runId)?.records ?? [])];
  }

  /** Newest first. */
  summaries(): RunSummary[] {
    return [...this.#runs]
      .map(([runId, { records }]) => summarize(runId, records))
      .toSorted((a, b) => b.openedAtMs - a.openedAtMs);
  }
}

function summarize(runId: string, records: readonly RunRecord[]): RunSummary {
  const opened = records.find((record) => record.type === 'RunOpened');
  const settled = records.find((record) => record.type === 'RunSettled');
  return {
    runId,
    title: opened?.title ?? runId,
    openedAtMs: opened?.atMs ?? 0,
    deadlineAtMs: opened?.deadlineAtMs ?? null,
    settled:
      settled === undefined
        ? null
        : { atMs: settled.atMs, outcome: settled.outcome, reason: settled.reason },
  };
}
