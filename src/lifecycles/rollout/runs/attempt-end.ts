/** The time limit of an attempt, and its outcome once its pod has ended. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { PodEnd } from '../hookpod/read-hook-pod.ts';
import type { HookAttempt } from '../kinds.ts';
import { deadlineAtMs, type RunFacts, timeMs } from './run-plan.ts';
import type { AttemptEnd } from './stage.ts';

export interface Limits {
  /** Time at which it must stop, wall-clock milliseconds. */
  readonly untilMs: number;
  /** Why it must stop now; null: it need not. */
  readonly stop: Required<Pick<AttemptEnd, 'outcome' | 'reason' | 'message'>> | null;
}

/** The stage's deadline counts from its start, even if no node was found for the pod (ROLL-C6). */
export function limitsOf(facts: RunFacts, attempt: HookAttempt, pod: Pod | null): Limits {
  const { run, nowMs, abort } = facts;
  const { timeoutSeconds } = run.spec.hook;
  const deadlineMs = deadlineAtMs(facts);
  const timeoutMs = timeoutSeconds === undefined ? Infinity : timeoutSeconds * 1_000;
  const untilMs = Math.min(deadlineMs, beganMs(attempt, pod) + timeoutMs);
  if (abort !== null) return { untilMs, stop: { outcome: 'Aborted', ...abort } };
  if (nowMs < untilMs) return { untilMs, stop: null };
  const late = nowMs >= deadlineMs;
  const reason = late ? 'DeadlineExceeded' : 'HookTimedOut';
  const message = late
    ? `the stage's deadline of ${run.spec.deadlineSeconds} s has passed`
    : `it has ${timeoutSeconds ?? 0} s for each attempt`;
  return { untilMs, stop: { outcome: 'TimedOut', reason, message } };
}

/**
 * The time at which its pod was created, milliseconds. The server reports whole seconds, rounded down. The intent is
 * older than the pod, and much older if no controller was running to create it.
 */
function beganMs({ startedAt }: HookAttempt, pod: Pod | null): number {
  const createdMs = timeMs(pod?.metadata?.creationTimestamp ?? startedAt);
  return Math.max(timeMs(startedAt), createdMs);
}

/** A pod that ended by itself gives its own outcome; a stopped one gives the outcome of the stop. */
export function attemptEnd(end: PodEnd, { stop }: Limits): AttemptEnd {
  const { outcome, stopped, exitCode, signal, reason, message } = end;
  const reported = {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  if (!stopped) return { outcome, ...reported };
  if (stop !== null) return { ...stop, ...reported, outcome: stop.outcome };
  if (outcome === 'Unknown') return { outcome, ...reported };
  const by = 'its pod was deleted, and not by us';
  return { message: by, ...reported, outcome: 'Failed', reason: 'PodDeleted' };
}

/** The pod existed, and its end was not recorded: its effect is unknown. */
export const LOST: AttemptEnd = {
  outcome: 'Unknown',
  reason: 'PodLost',
  message: 'its pod was deleted before its result was read',
};
