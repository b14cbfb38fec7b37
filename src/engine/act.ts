import type { AttemptResult, Outcome } from '../model/attempt.ts';
import type { CancelSignal } from '../platform/platform.ts';

/**
 * One attempt of one step, as the engine requests it. The engine does not know the handler of the hook; the `Act` does.
 */
export interface AttemptRequest {
  readonly runId: string;
  readonly step: string;
  /** Starts at 1. */
  readonly attempt: number;
  /** Milliseconds from now until the attempt must end; null: no deadline. */
  readonly timeoutMs: number | null;
  /** Aborted when the run is cancelled; never aborted for a cleanup step. */
  readonly signal: CancelSignal;
  /** Values that must not appear in a record, an event or a terminal. The `Act` adds them to the request. */
  readonly secrets?: readonly string[];
  /** Secrets that became known during the attempt; the list only grows. */
  readonly lateSecrets?: () => readonly string[];
  /** Receives live output with masked secrets. The handler limits its length. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/**
 * Makes one attempt. A failure of the hook is a result, never a rejection. A rejection is a bug of Lifehook and is
 * recorded as Unknown.
 */
export type Act = (request: AttemptRequest) => Promise<AttemptResult>;

/** The signal of a run that cannot be cancelled, and of every cleanup step. */
export const neverCancelled: CancelSignal = {
  aborted: false,
  addEventListener: () => {},
  removeEventListener: () => {},
};

/** The result of an attempt without output: its handler was not called, or gave no result. */
export function bareResult(outcome: Outcome, reason: string, durationMs: number): AttemptResult {
  const nothing = { text: '', totalBytes: 0 };
  return {
    outcome,
    exitCode: null,
    signal: null,
    durationMs,
    stdout: nothing,
    stderr: nothing,
    reason,
  };
}
