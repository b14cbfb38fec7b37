import type { RunRecord } from '../model/attempt.ts';

/**
 * Storage for the records of a run: a file journal (pipeline, container, local node) or the status of a Kubernetes
 * object (snapshot, rollout).
 */
export interface Ledger {
  /** All records of this run, in append order. */
  read(runId: string): Promise<readonly RunRecord[]>;
  /** Resolves when the record is durable. After a rejection it may or may not be. */
  append(record: RunRecord): Promise<void>;
}
