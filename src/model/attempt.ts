/** The record of one attempt, one run: what is durable, and what the timeline shows. */

/**
 * How an attempt ended. `Unknown`: it was started and nobody saw its end; it is never a success.
 */
export type Outcome = 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown';

/** The last bytes of one output stream, as text, secrets already masked. */
export interface Tail {
  readonly text: string;
  /** All bytes the stream carried, those dropped included. */
  readonly totalBytes: number;
}

/** Failure is a result with the same shape as success. */
export interface AttemptResult {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly stdout: Tail;
  readonly stderr: Tail;
  /** One sentence, for people. */
  readonly reason: string;
}

/**
 * What a resume and a timeline need to know of a step. Never what its hook does: commands,
 * environments and inputs may hold secrets, and a resume gets them from its lifecycle again.
 */
export interface StepOutline {
  readonly kind: 'main' | 'cleanup';
  readonly name: string;
  readonly undoes?: string;
}

/** What a run's journal holds, in this order of life. Times are wall-clock milliseconds. */
export type RunRecord =
  | {
      readonly type: 'RunOpened';
      readonly runId: string;
      readonly atMs: number;
      readonly title: string;
      readonly steps: readonly StepOutline[];
      readonly deadlineAtMs: number | null;
    }
  | {
      readonly type: 'AttemptStarted';
      readonly runId: string;
      readonly atMs: number;
      readonly step: string;
      readonly attempt: number;
    }
  | {
      readonly type: 'AttemptSettled';
      readonly runId: string;
      readonly atMs: number;
      readonly step: string;
      readonly attempt: number;
      readonly result: AttemptResult;
    }
  | {
      readonly type: 'CancelRequested';
      readonly runId: string;
      readonly atMs: number;
      readonly reason: string;
    }
  | {
      readonly type: 'RunSettled';
      readonly runId: string;
      readonly atMs: number;
      readonly outcome: RunOutcome;
      readonly reason: string;
    };

/** `Unknown` is handed to the lifecycle: only it can tell what an unseen end means. */
export type RunOutcome = 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown';
