import type { RunRecord } from './attempt.ts';

/**
 * The event stream for terminal, log, metrics and timeline: every record, once it is durable,
 * and the live output of the attempts between them. Output is not recorded; its tail is, in the
 * attempt's result.
 */
export type RunEvent = RunRecord | OutputEvent;

export interface OutputEvent {
  readonly type: 'Output';
  readonly runId: string;
  readonly atMs: number;
  readonly step: string;
  readonly attempt: number;
  readonly stream: 'stdout' | 'stderr';
  /** Secrets are masked. */
  readonly text: string;
}
