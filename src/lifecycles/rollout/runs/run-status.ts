/** Computes the complete next status of a HookRun. Pure; `decideStage` decides which one is written. */
import { microTimeText } from '../../../controller/kube-time.ts';
import { fencingToken } from '../hookpod/identity.ts';
import type { HookAttempt, HookRun, HookRunStatus } from '../kinds.ts';
import { podIdentity, podNameOf } from './hook-run.ts';
import { judgeRun } from './run-plan.ts';
import { settlementOf } from './settlement.ts';
import type { AttemptEnd, Settlement, StageAbort } from './stage.ts';

/** Maximum number of attempts that are kept, the last ones. `attemptCount` counts all. */
export const ATTEMPTS_KEPT = 10;

export function begunStatus(nowMs: number): HookRunStatus {
  return { phase: 'Running', startedAt: microTimeText(nowMs), attemptCount: 0, attempts: [] };
}

export function withIntent(run: HookRun, number: number, nowMs: number): HookRunStatus {
  const startedAt = microTimeText(nowMs);
  const status = run.status ?? begunStatus(nowMs);
  const attempt: HookAttempt = {
    number,
    podName: podNameOf(run, number),
    startedAt,
    fencingToken: fencingToken(podIdentity(run, number)),
  };
  const attempts = [...status.attempts, attempt].slice(-ATTEMPTS_KEPT);
  return { ...status, attemptCount: number, attempts };
}

export function withPod(status: HookRunStatus, number: number, podUID: string): HookRunStatus {
  return withAttempt(status, number, { podUID });
}

/**
 * The status with one more grant, so that it differs from each earlier status of the attempt. `fresh`: the token to use
 * if the attempt has none. A token is never replaced, because a pod that was requested with it may still appear.
 */
export function withGrant(status: HookRunStatus, number: number, fresh: string): HookRunStatus {
  const { grants = 0, token = fresh } =
    status.attempts.find((each) => each.number === number) ?? {};
  return withAttempt(status, number, { grants: grants + 1, token });
}

/** Records what the start of the attempt's pod waits for; null: nothing any more. */
export function withWait(
  status: HookRunStatus,
  number: number,
  waitsFor: string | null,
): HookRunStatus {
  return withAttempt(status, number, waitsFor === null ? {} : { waitsFor });
}

export interface Ending {
  readonly attempt: number;
  readonly end: AttemptEnd;
  readonly lastLines: readonly string[];
  readonly abort: StageAbort | null;
  readonly nowMs: number;
}

/**
 * The status with the outcome. If the outcome settles the run, the status contains that too, so that one write is
 * enough.
 */
export function withOutcome(run: HookRun, ending: Ending): HookRunStatus {
  const { attempt, end, lastLines, abort, nowMs } = ending;
  const before = run.status ?? withIntent(run, attempt, nowMs);
  const status = withAttempt(before, attempt, {
    ...end,
    finishedAt: microTimeText(nowMs),
    ...(lastLines.length === 0 ? {} : { lastLines: [...lastLines] }),
  });
  const facts = { run: { ...run, status }, nowMs, abort };
  const decision = judgeRun(facts);
  if (decision.do !== 'settle') return status;
  return withSettlement(facts.run, settlementOf(facts, decision.outcome), nowMs);
}

export function withSettlement(
  { status }: HookRun,
  settlement: Settlement,
  nowMs: number,
): HookRunStatus {
  return {
    ...(status ?? begunStatus(nowMs)),
    ...settlement,
    finishedAt: microTimeText(nowMs),
  };
}

function withAttempt(
  status: HookRunStatus,
  number: number,
  change: Partial<HookAttempt>,
): HookRunStatus {
  const attempts = status.attempts.map((attempt) => {
    if (attempt.number !== number) return attempt;
    // Each change sets `waitsFor` anew, or leaves it absent.
    const { waitsFor: _, ...kept } = attempt;
    return { ...kept, ...change };
  });
  return { ...status, attempts };
}
