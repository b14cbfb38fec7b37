/** The known outcome of a command in a container, derived from the messages of the server. */
import { ApiError, type Status, UnreachableError } from './api-error.ts';
import type { SessionEnd } from './stream-session.ts';

export type ExecResult = Exited | NotStarted | UnknownEnd;

export interface Exited {
  readonly outcome: 'exited';
  readonly exitCode: number;
}

/** The command certainly did not start. */
export interface NotStarted {
  readonly outcome: 'failed';
  readonly status: Status;
}

/** The command may have run or may still run, and its exit is unknown: never a success. */
export interface UnknownEnd {
  readonly outcome: 'unknown';
  /**
   * lost: the connection broke, or may never have been established. stalled: the peer stopped answering. garbled: the
   * peer broke the protocol. unexplained: the server reported a failure that does not say whether the command ran.
   * inputFailed: the source of the input failed.
   */
  readonly cause:
    | 'timedOut'
    | 'cancelled'
    | 'lost'
    | 'stalled'
    | 'garbled'
    | 'unexplained'
    | 'inputFailed';
  /** The end of a sentence: "the connection broke". */
  readonly reason: string;
}

export function resultOfEnd(end: SessionEnd): ExecResult {
  if (end.kind === 'status') return resultOfStatus(end.status);
  const lost = end.cause === 'closed' || end.cause === 'left';
  const reason = `${end.why} before the server reported the end of the command`;
  return { outcome: 'unknown', cause: lost ? 'lost' : end.cause, reason };
}

export function resultOfStatus(status: Status): ExecResult {
  if (status.status === 'Success') return { outcome: 'exited', exitCode: 0 };
  const exitCode = exitCodeOf(status);
  if (exitCode !== null) return { outcome: 'exited', exitCode };
  if (saysNotStarted(status)) return { outcome: 'failed', status };
  const reason = `the server reported a failure: ${status.message ?? status.reason ?? 'without a message'}`;
  return { outcome: 'unknown', cause: 'unexplained', reason };
}

/** The result for a connection that could not be opened. */
export function resultOfRefusal(error: unknown): ExecResult {
  if (error instanceof ApiError) {
    // After a 503 the command has not started. After another 5xx it may have started before the answer was lost.
    const definite = error.code < 500 || error.code === 503 || saysNotStarted(error.status);
    if (definite) return { outcome: 'failed', status: error.status };
    return { outcome: 'unknown', cause: 'unexplained', reason: error.message };
  }
  if (!(error instanceof UnreachableError)) throw error;
  if (error.sent) return { outcome: 'unknown', cause: 'lost', reason: error.message };
  return notStarted('Unreachable', error.message);
}

export function notStarted(reason: string, message: string): NotStarted {
  return { outcome: 'failed', status: { kind: 'Status', status: 'Failure', reason, message } };
}

function exitCodeOf({ reason, details }: Status): number | null {
  if (reason !== 'NonZeroExitCode') return null;
  const reported = details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message ?? '';
  return /^\d{1,10}$/.test(reported) && Number(reported) !== 0 ? Number(reported) : null;
}

/**
 * The messages of kubelets and runtimes (containerd, CRI-O, runc, crun) when they did not start a command. They have no
 * code for that, so an unknown message means an unknown outcome.
 */
const notStartedWords =
  /failed to (start|create) exec|exec failed: |unable to start container process|executable file `?\S* ?not found|container not found|container (\S+ )?(is )?not (running|found|created)|cannot exec in a|can't exec in|in CONTAINER_(EXITED|CREATED|UNKNOWN) state|completed pod/i;

/** Words that make such a message uncertain: the server may have only stopped waiting for the start. */
const doubtfulWords =
  /deadline exceeded|timed? ?out|cancell?ed|\bEOF\b|transport is closing|unavailable/i;

function saysNotStarted({ message = '' }: Status): boolean {
  return notStartedWords.test(message) && !doubtfulWords.test(message);
}
