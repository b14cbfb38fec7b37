import type { RunOutcome, RunRecord } from '../model/attempt.ts';
import type { JournalIndex } from './journal.ts';
import { encodeValue } from './journal-line.ts';

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
  records: RunRecord[];
  bytes: number;
}

/** The value of a journal that is not a record: ids of dropped runs, so that none of them is opened again. */
interface RunsDropped {
  readonly type: 'RunsDropped';
  /** In the order in which the runs were dropped. */
  readonly runIds: readonly string[];
}

type StoredValue = RunRecord | RunsDropped;

/** Maximum share of `maxBytes` for the ids of dropped runs. Beyond it, the oldest ids are forgotten. */
const DROPPED_PART = 1 / 4;

/**
 * The runs of a journal, in memory. Nothing of an unsettled run is dropped. Settled runs lose the output of their
 * attempts, in the order in which they settled. If that is not enough, whole runs are dropped in this order, except for
 * their ids.
 */
export class RunIndex implements JournalIndex {
  readonly #runs = new Map<string, KnownRun>();
  /** Ids of settled runs, in the order in which they settled. */
  readonly #settled = new Set<string>();
  /** Ids of dropped runs, in the order in which they were dropped. */
  readonly #dropped = new Set<string>();
  /** Bytes of all records and of the ids of dropped runs. */
  #bytes = 0;

  add(value: unknown, bytes: number): void {
    // Not validated: FileLedger or `shrink` has made the value, and checksums prove that it is unchanged.
    const record = value as StoredValue;
    if (record.type === 'RunsDropped') {
      for (const runId of record.runIds) this.#remember(runId);
      return;
    }
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
  shrink(maxBytes: number): readonly StoredValue[] {
    for (const id of this.#settled) {
      if (this.#bytes <= maxBytes) break;
      this.#dropOutput(id);
    }
    for (const runId of this.#settled) {
      if (this.#bytes <= maxBytes) break;
      this.#forget(runId);
    }
    this.#forgetIds(maxBytes * DROPPED_PART);
    const unsettled = [...this.#runs.keys()].filter((runId) => !this.#settled.has(runId));
    const records = [...this.#settled, ...unsettled].flatMap((runId) => this.read(runId));
    if (this.#dropped.size === 0) return records;
    return [{ type: 'RunsDropped', runIds: [...this.#dropped] }, ...records];
  }

  /** Whether the run had settled and was dropped, as far as its id is not forgotten. */
  wasDropped(runId: string): boolean {
    return this.#dropped.has(runId);
  }

  #dropOutput(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    run.records = run.records.map((record) => {
      const without = withoutOutput(record);
      if (without === record) return record;
      const freed = encodeValue(record).length - encodeValue(without).length;
      run.bytes -= freed;
      this.#bytes -= freed;
      return without;
    });
  }

  #forget(runId: string): void {
    this.#bytes -= this.#runs.get(runId)?.bytes ?? 0;
    this.#runs.delete(runId);
    this.#settled.delete(runId);
    this.#remember(runId);
  }

  #remember(runId: string): void {
    if (this.#dropped.has(runId)) return;
    this.#dropped.add(runId);
    this.#bytes += idBytes(runId);
  }

  #forgetIds(maxBytes: number): void {
    let bytes = [...this.#dropped].reduce((sum, runId) => sum + idBytes(runId), 0);
    for (const runId of this.#dropped) {
      if (bytes <= maxBytes) break;
      this.#dropped.delete(runId);
      bytes -= idBytes(runId);
      this.#bytes -= idBytes(runId);
    }
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

/** Length of an id in the list of ids, with its comma. */
function idBytes(runId: string): number {
  return encodeValue(runId).length + 1;
}

/** Returns the record itself if it has no output. */
function withoutOutput(record: RunRecord): RunRecord {
  if (record.type !== 'AttemptSettled') return record;
  const { result } = record;
  const { stdout, stderr } = result;
  if (stdout.text === '' && stderr.text === '') return record;
  const bare = { stdout: { ...stdout, text: '' }, stderr: { ...stderr, text: '' } };
  return { ...record, result: { ...result, ...bare } };
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
