import type { RunRecord } from '../model/attempt.ts';

/**
 * Where a run's records go: a file journal (pipeline, container, local node) or the status of a
 * Kubernetes object (snapshot, rollout).
 */
export interface Ledger {
  /** Everything recorded for this run, in the order in which it was appended. */
  read(runId: string): Promise<readonly RunRecord[]>;
  /** Resolves when the record is durable. A rejection means: it may or may not be. */
  append(record: RunRecord): Promise<void>;
}
