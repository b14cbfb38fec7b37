import type { RunRecord } from '../model/attempt.ts';
import { nodeFiles } from '../platform/files.ts';
import { FileLedger } from '../store/file-ledger.ts';
import { procTable } from '../store/process-table.ts';
import type { RunSummary } from '../store/run-index.ts';

export type { RunSummary } from '../store/run-index.ts';

/** The records of runs, in order: an intent before each attempt, and its outcome. */
export interface HookLedger {
  read(runId: string): Promise<readonly RunRecord[]>;
  /** Resolves when the record is durable. */
  append(record: RunRecord): Promise<void>;
  /** Newest first; `settled` is null for a run that is still running, or whose process has exited. */
  runs(limits: { readonly limit: number }): readonly RunSummary[];
  close(): Promise<void>;
}

/**
 * A ledger in a directory, which is created if it does not exist. It survives `kill -9`; one process at a time.
 * Linux only: the lock reads /proc.
 * @throws LifehookError LHE007 if it is damaged, LHE008 if another process has locked it.
 */
export async function openLedger(directory: string): Promise<HookLedger> {
  return FileLedger.open({ files: nodeFiles, folder: directory, processes: procTable(nodeFiles) });
}
