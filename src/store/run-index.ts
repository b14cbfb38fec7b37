import type { RunOutcome, RunRecord } from '../model/attempt.ts';
import type { JournalIndex } from './journal.ts';

/** The summary of one run for lists. */
export interface RunSummary {
  readonly runId: string;
  readonly title: string;
  readonly openedAtMs: number;
  readonly deadlineAtMs: number | null;
  /** null: the run is active, or its process has died. */
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
 * The runs of a journal, in memory. An unsettled run is never dropped. Settled runs are dropped in the order in which
 * they settled.
 */
export class RunIndex implements JournalIndex {
  readonly #runs = new Map<string, KnownRun>();
  /** Ids of settled runs, in the order in which they settled. */
  readonly #settled = new Set<string>();
  #bytes = 0;

  add(value: unknown, bytes: number): void {
    // Not validated: FileLedger has appended the value, and checksums prove that it is unchanged.
    const record = value as RunRecord;
    let run = this.#runs.get(record.runId);
    if (run === undefined) {
      // A record of a run that was dropped before: it must not restore a part of that run.
      if (record.type !== 'RunOpened') return;
      run = { records: [], bytes: 0 };
      this.#runs.set(record.runId, run);
    }
    run.records.push(record);
    run.bytes += bytes;
    this.#bytes += bytes;
    if (record.type === 'RunSettled') this.#settled.add(record.runId);
  }

  /** Returns settled runs first, in the order in which they settled, so that a replay restores that order. */
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

  /** Summaries of all runs, newest first. */
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
