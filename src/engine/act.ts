import type { AttemptResult } from '../model/attempt.ts';
import type { Hook } from '../model/hook.ts';
import type { CancelSignal } from '../platform/platform.ts';

/** One attempt of one hook, as the engine asks a handler to make it. */
export interface AttemptRequest {
  readonly runId: string;
  readonly step: string;
  readonly hook: Hook;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds from now until the attempt has to end; null: no deadline. */
  readonly timeoutMs: number | null;
  /** Aborts when the run is cancelled; never for a cleanup step. */
  readonly signal: CancelSignal;
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
