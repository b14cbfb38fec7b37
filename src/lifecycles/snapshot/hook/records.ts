/**
 * Converts the status of a target to records of the engine: the status is the ledger.
 *
 * The status does not keep every attempt. None of the missing ones succeeded, so each is converted to a failure.
 */
import type { AttemptResult, RunRecord } from '../../../model/attempt.ts';
import { bareResult } from '../../../engine/act.ts';
import type {
  ActionAttempt,
  ActionStatus,
  ContainerStatus,
  ExecutionHookStatus,
} from '../kinds.ts';
import { attemptsOf } from './attempts.ts';
import { FREEZE, freezeDeadlineMs, type TargetPlanFacts, THAW } from './plan.ts';
import { timeOf } from './targets.ts';

/** Records of the preAction, and of the postAction up to the attempt with which it failed. */
export function recordsOf(facts: TargetPlanFacts): RunRecord[] {
  const { target, release, nowMs } = facts;
  const runId = target.podUID;
  const { preActionStatus: pre, postActionStatus: post } = target;
  const [openedMs = nowMs] = timeOf(pre?.actionTimestamp);
  const again = mayRepeat(facts);
  const slow = post?.slowAttempts ?? 0;
  return [
    {
      type: 'RunOpened',
      runId,
      atMs: openedMs,
      title: '',
      steps: [],
      deadlineAtMs: freezeDeadlineMs(facts),
    },
    ...stepRecords({ runId, step: FREEZE, attempts: allAttempts(pre).map(again) }),
    ...cancelOf(runId, release),
    ...stepRecords({
      runId,
      step: THAW,
      attempts: allAttempts(post).slice(0, attemptsOf(post) - slow),
    }),
  ];
}

/**
 * Records of a failed thaw, from the attempt that made it fail: the pause after it is the first slow one. An unknown
 * end counts as a failure here: it is retried, after a pause.
 */
export function slowRecordsOf({ podUID, postActionStatus: post }: ContainerStatus): RunRecord[] {
  const slow = post?.slowAttempts ?? 0;
  const attempts = allAttempts(post).slice(-1 - slow);
  const seen = attempts.map((attempt): ActionAttempt =>
    attempt.outcome === 'Unknown' ? { ...attempt, outcome: 'Failed' } : attempt,
  );
  return stepRecords({ runId: podUID, step: THAW, attempts: seen });
}

/** All attempts. An attempt that the status does not keep gets the time of the first kept attempt. */
function allAttempts(status: ActionStatus | undefined): ActionAttempt[] {
  const kept = status?.attempts ?? [];
  const startedAt = kept[0]?.startedAt ?? status?.actionTimestamp ?? '';
  const lost: ActionAttempt = { startedAt, endedAt: startedAt, outcome: 'Failed' };
  return [...Array.from({ length: status?.earlierAttempts ?? 0 }, () => lost), ...kept];
}

/**
 * SNAP-G17: an unknown end counts as a plain failure if the action may be repeated. A probe that finds nothing frozen
 * is not enough: the command may still be running, and its freeze would outlive the thaw. A session is never opened
 * again: the first session helper may still be running, and would thaw the freeze of the second.
 */
function mayRepeat({ resolved }: TargetPlanFacts): (attempt: ActionAttempt) => ActionAttempt {
  const { idempotent, session } = resolved.preAction;
  const again = idempotent === true && session === undefined;
  return (attempt) => {
    if (attempt.notStarted !== undefined) return { ...attempt, outcome: 'Failed' };
    if (!isUnseen(attempt)) return attempt;
    return { ...attempt, outcome: again ? 'Failed' : 'Unknown' };
  };
}

/**
 * Whether the end of the attempt was not seen. A command that timed out or was cancelled may still be running. It must
 * not be retried, even if a wall clock that was set back shows time left.
 */
function isUnseen({ outcome }: ActionAttempt): boolean {
  return outcome === 'Unknown' || outcome === 'TimedOut' || outcome === 'Cancelled';
}

function cancelOf(runId: string, release: ExecutionHookStatus['release']): RunRecord[] {
  if (release === undefined) return [];
  const [atMs = 0] = timeOf(release.at);
  return [{ type: 'CancelRequested', runId, atMs, reason: release.cause }];
}

function stepRecords(of: {
  readonly runId: string;
  readonly step: string;
  readonly attempts: readonly ActionAttempt[];
}): RunRecord[] {
  const { runId, step, attempts } = of;
  return attempts.flatMap((attempt, index): RunRecord[] => {
    const [atMs = 0] = timeOf(attempt.startedAt);
    const number = index + 1;
    const started: RunRecord = { type: 'AttemptStarted', runId, atMs, step, attempt: number };
    if (attempt.outcome === undefined) return [started];
    const [endedMs = atMs] = timeOf(attempt.endedAt);
    const result = resultOf(attempt, endedMs - atMs);
    return [
      started,
      { type: 'AttemptSettled', runId, atMs: endedMs, step, attempt: number, result },
    ];
  });
}

function resultOf({ outcome = 'Unknown', reason = '' }: ActionAttempt, ms: number): AttemptResult {
  return bareResult(outcome, reason, ms);
}
