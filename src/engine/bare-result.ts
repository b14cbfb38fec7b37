import type { AttemptResult, Outcome } from '../model/attempt.ts';

/** The result of an attempt without output from a handler. */
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
