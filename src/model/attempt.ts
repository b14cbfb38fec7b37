/** The durable records of one attempt and one run, which the timeline shows. */

/**
 * The outcome of an attempt. `Unknown`: it was started and its end was not observed; it is never a success.
 */
export type Outcome = 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown';

/** The last bytes of one output stream, as text, with secrets masked. */
export interface Tail {
  readonly text: string;
  /** Number of all bytes of the stream, including dropped ones. */
  readonly totalBytes: number;
}

/** The result of an attempt. A failure has the same shape as a success. */
export interface AttemptResult {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly stdout: Tail;
  readonly stderr: Tail;
  /** One sentence, for messages. */
  readonly reason: string;
}

/**
 * The recorded data of a step, for a resume and for the timeline. The handler of the hook is never recorded, since
 * commands, environments and inputs may contain secrets; a resume gets it from the lifecycle again.
 */
export interface StepOutline {
  readonly kind: 'main' | 'cleanup';
  readonly name: string;
  readonly undoes?: string;
}

/** The records of a run's journal, in the order in which they are written. Times are wall-clock milliseconds. */
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

/** `Unknown` is passed to the lifecycle: only it can interpret an unobserved end. */
export type RunOutcome = 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown';
