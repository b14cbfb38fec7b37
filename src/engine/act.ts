import type { AttemptResult } from '../model/attempt.ts';
import type { CancelSignal } from '../platform/platform.ts';

/** One attempt of one step, as the engine orders it. How the hook acts is known to the `Act`, not to the engine. */
export interface AttemptRequest {
  readonly runId: string;
  readonly step: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds from now until the attempt has to end; null: no deadline. */
  readonly timeoutMs: number | null;
  /** Aborts when the run is cancelled; never for a cleanup step. */
  readonly signal: CancelSignal;
  /** Values that never appear in a record, an event or on a terminal; the `Act` adds them. */
  readonly secrets?: readonly string[];
  /** Secrets that have become known since the attempt began; the list only grows. */
  readonly lateSecrets?: () => readonly string[];
  /** Live output, secrets already masked; bounded by the handler. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/**
 * Makes one attempt. Never rejects for what a hook can do wrong: failure is a result. A rejection is
 * our own mistake and is recorded as Unknown.
 */
export type Act = (request: AttemptRequest) => Promise<AttemptResult>;

/** For a run that nobody can cancel, and for every cleanup step. */
export const neverCancelled: CancelSignal = {
  aborted: false,
  addEventListener: () => {},
  removeEventListener: () => {},
};
