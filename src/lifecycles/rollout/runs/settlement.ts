/** Converts the engine's outcome of a run to the terms of the API (ROLL-DH14, ROLL-DH15, ROLL-DH16). Pure. */
import type { RunOutcome } from '../../../model/attempt.ts';
import type { HookAttempt, HookRun } from '../kinds.ts';
import { describeAttempt } from './describe-attempt.ts';
import { deadlineAtMs, type RunFacts } from './run-plan.ts';
import type { Settlement } from './stage.ts';

/** Reasons of an attempt that are more specific than HookFailed. */
const REPORTED_REASONS = ['PodRefused', 'PodNameTaken', 'PodDeleted'];

export function settlementOf(facts: RunFacts, outcome: RunOutcome): Settlement {
  const { run } = facts;
  const last = run.status?.attempts.at(-1);
  const settlement = withoutPolicy(facts, outcome, last);
  if (run.spec.hook.failurePolicy !== 'Ignore') return settlement;
  return isFailure(settlement) ? { ...settlement, phase: 'Ignored' } : settlement;
}

/** null: the run has not settled. */
export function settledAs({ status }: HookRun): Settlement | null {
  if (status === undefined || status.phase === 'Running') return null;
  const { phase, reason = phase, message = '' } = status;
  return { phase, reason, message };
}

/** The settlement if no pod can be built from this hook and this template: a retry gives the same result (ROLL-C25). */
export function refusedAs(
  run: HookRun,
  refusal: { readonly reason: string; readonly message: string },
): Settlement {
  const phase = run.spec.hook.failurePolicy === 'Ignore' ? 'Ignored' : 'Failed';
  const { reason, message } = refusal;
  return { phase, reason, message };
}

function isFailure({ phase }: Settlement): boolean {
  return phase === 'Failed' || phase === 'Unknown';
}

function withoutPolicy(
  facts: RunFacts,
  outcome: RunOutcome,
  last: HookAttempt | undefined,
): Settlement {
  const reported = lastAttemptText(facts, last);
  switch (outcome) {
    case 'Succeeded':
      return succeeded(facts, last);
    case 'Failed':
      return { phase: 'Failed', reason: failureReason(last), message: sentence(reported) };
    case 'TimedOut':
      return timedOut(facts, reported);
    case 'Cancelled': {
      const { reason, message } = facts.abort ?? { reason: 'Aborted', message: 'it was aborted' };
      return { phase: 'Aborted', reason, message: sentence(`${message}; ${reported}`) };
    }
    case 'Unknown':
      return { phase: 'Unknown', reason: 'PodLost', message: sentence(reported) };
    default:
      return outcome satisfies never;
  }
}

/**
 * The settlement of a run that the engine counts as succeeded. Under Ignore the engine counts a failure as success too;
 * the last attempt has the actual outcome.
 */
function succeeded(facts: RunFacts, last: HookAttempt | undefined): Settlement {
  if (last?.outcome === undefined || last.outcome === 'Succeeded') {
    const message = sentence(lastAttemptText(facts, last));
    return { phase: 'Succeeded', reason: 'Succeeded', message };
  }
  return withoutPolicy(facts, causeOf(last.outcome), last);
}

function lastAttemptText({ run }: RunFacts, last: HookAttempt | undefined): string {
  return last === undefined ? 'the hook was not started' : describeAttempt(run.spec.stage, last);
}

function causeOf(outcome: NonNullable<HookAttempt['outcome']>): RunOutcome {
  return outcome === 'Aborted' ? 'Cancelled' : outcome;
}

function failureReason(last: HookAttempt | undefined): string {
  const { reason = '' } = last ?? {};
  return REPORTED_REASONS.includes(reason) ? reason : 'HookFailed';
}

/**
 * The settlement of a run that timed out: the deadline of the stage has passed, or its only attempt had a shorter
 * timeout.
 */
function timedOut(facts: RunFacts, reported: string): Settlement {
  const { run, nowMs } = facts;
  const { failurePolicy = 'Retry', timeoutSeconds = 0 } = run.spec.hook;
  if (failurePolicy !== 'Retry' && run.status !== undefined && nowMs < deadlineAtMs(facts)) {
    const message = `the hook has a timeout of ${timeoutSeconds} s; ${reported}`;
    return { phase: 'Failed', reason: 'HookTimedOut', message: sentence(message) };
  }
  const { attemptCount = 0 } = run.status ?? {};
  const isRetried = failurePolicy === 'Retry' || attemptCount === 0;
  const so = isRetried ? `leaves no time for attempt ${attemptCount + 1}` : 'has passed';
  const spent = `the deadline of ${run.spec.deadlineSeconds} s ${so}`;
  return {
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: sentence(`${spent}; ${reported}`),
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
