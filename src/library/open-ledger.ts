import type { RunRecord } from '../model/attempt.ts';
import { nodeFiles } from '../platform/files.ts';
import { FileLedger } from '../store/file-ledger.ts';
import { procTable } from '../store/process-table.ts';
import type { RunSummary } from '../store/run-index.ts';

export type { RunSummary } from '../store/run-index.ts';

/** The records of runs, in their order: an intent before each attempt, and what came of it. */
export interface HookLedger {
  read(runId: string): Promise<readonly RunRecord[]>;
  /** Resolves when it is durable. */
  append(record: RunRecord): Promise<void>;
  /** Newest first; `settled` is null of one that is under way, or whose process went away. */
  runs(limits: { readonly limit: number }): readonly RunSummary[];
  close(): Promise<void>;
}

/**
 * A ledger in a folder, which is made where it is not there. It survives `kill -9`; one process at a time.
 * Linux only: who else writes to it is told by /proc.
 * @throws LifehookError LHE007 where it is damaged, LHE008 where another process has it.
 */
export async function openLedger(folder: string): Promise<HookLedger> {
  return FileLedger.open({ files: nodeFiles, folder, processes: procTable(nodeFiles) });
}
