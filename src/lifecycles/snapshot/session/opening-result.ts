/** The results of attempts to freeze by a held session. Pure. */
import { bareResult } from '../../../engine/act.ts';
import { type ExecResult, resultOfEnd, resultOfRefusal } from '../../../kube/exec-result.ts';
import type { SessionEnd as ConnectionEnd } from '../../../kube/stream-session.ts';
import type { AttemptResult, Tail } from '../../../model/attempt.ts';
import { denialText, notStartedBy } from '../exec-start.ts';
import type { HolderFacts } from './holder-report.ts';
import type { OpenedSession, SessionEnd } from './session.ts';

/**
 * The result for a session helper that was never reached. The helper starts nothing before it has read its nonce, so
 * nothing was started, even if the helper itself may have run.
 */
export function refusedResult(
  error: unknown,
  { namespace, durationMs }: { readonly namespace: string; readonly durationMs: number },
): OpenedSession {
  const refusal = resultOfRefusal(error);
  const notStarted = notStartedBy(refusal) ?? 'Unreached';
  const reported = refusalText(refusal, namespace);
  const reason = `The session was not opened: ${reported}. Nothing was started.${adviceOn(reported)}`;
  return { result: bareResult('Failed', reason, durationMs), session: null, notStarted };
}

function refusalText(refusal: ExecResult, namespace: string): string {
  switch (refusal.outcome) {
    case 'unknown':
      return refusal.reason;
    case 'exited':
      return 'it exited at once';
    case 'failed':
      return notStartedBy(refusal) === 'Denied'
        ? denialText(refusal.status, namespace)
        : (refusal.status.message ?? 'no reason was given');
    default:
      return refusal satisfies never;
  }
}

export function tooLateResult(
  outcome: 'TimedOut' | 'Cancelled',
  why: string,
  durationMs: number,
): OpenedSession {
  const reason = `The opening of the session ${why}. Nothing was started.`;
  return {
    result: bareResult(outcome, reason, durationMs),
    session: null,
    notStarted: 'Unreached',
  };
}

export interface Opening {
  readonly facts: HolderFacts;
  readonly durationMs: number;
  readonly output: Tail;
}

export function frozenResult({ durationMs, output, facts }: Opening): AttemptResult {
  const timing = facts.timing ?? 'eof';
  const how = {
    read: 'by "read -t"',
    sleep: 'by "sleep"',
    eof: 'only when the connection ends, since the image has neither "read -t" nor "sleep"',
  } as const;
  const reason = `Frozen; the session helper thaws by itself ${timing === 'eof' ? how.eof : `if the connection is silent for the dead-man window, measured ${how[timing]}`}.`;
  return { ...bareResult('Succeeded', reason, durationMs), exitCode: 0, stdout: output };
}

/** The result for a session that ended before the freeze was in force. */
export function brokenResult(
  opening: Opening,
  end: SessionEnd,
  connection: ConnectionEnd | null,
): OpenedSession {
  const { facts, durationMs, output } = opening;
  // The helper reports its timing before it starts anything, and the status arrives after all its reports.
  if (facts.timing === null && connection?.kind === 'status') {
    const reported = describeStatus(connection);
    const reason = `The session helper did not start: ${reported}. Nothing was started.${adviceOn(reported)}`;
    const result = { ...bareResult('Failed', reason, durationMs), stdout: output };
    return { result, session: null, notStarted: 'Unreached' };
  }
  const exitCode = facts.failedCode ?? facts.endedCode;
  const outcome = exitCode === null && end.kind === 'lost' ? 'Unknown' : 'Failed';
  const failed = facts.failedCode === null ? '' : `The freeze exited with code ${exitCode}. `;
  const reason = `${failed}${end.reason}${exitCode === 127 ? NO_PROGRAM : ''}`;
  const result = { ...bareResult(outcome, reason, durationMs), exitCode, stdout: output };
  return { result, session: null, undone: end };
}

function describeStatus(connection: ConnectionEnd): string {
  const result = resultOfEnd(connection);
  switch (result.outcome) {
    case 'exited':
      return `it exited at once, with code ${result.exitCode}`;
    case 'failed':
      return result.status.message ?? 'no reason was given';
    case 'unknown':
      return result.reason;
    default:
      return result satisfies never;
  }
}

/** The result for a freeze that was not in time, or was cancelled. The session helper was asked to undo it. */
export function stoppedResult(
  opening: Opening,
  outcome: 'TimedOut' | 'Cancelled',
  { why, undone }: { readonly why: string; readonly undone: SessionEnd },
): OpenedSession {
  const reason = `The freeze ${why}. ${undone.reason}`;
  const result = bareResult(outcome, reason, opening.durationMs);
  return { result: { ...result, stdout: opening.output }, session: null, undone };
}

const NO_PROGRAM = ' Code 127 says that the image has no such program.';

/** Advice if `sh` is missing, which runtimes report in many ways; '' otherwise. */
function adviceOn(reported: string): string {
  const missing = /\bsh\b.{0,40}(not found|no such file)|(not found|no such file).{0,40}\bsh\b/i;
  if (!missing.test(reported)) return '';
  return ' A held session needs a POSIX "sh" in the image: use an image with one, name a container of the pod that has one, or use exec actions, which do not thaw by themselves.';
}
