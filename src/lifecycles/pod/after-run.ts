/** The state of a container after a run of it has ended or could not start. Pure. */
import type { Clock } from '../../platform/platform.ts';
import type { RunIdentity } from '../../platform/container-labels.ts';
import type { StartError } from '../../platform/container-runtime.ts';
import type { ContainerLife } from './facts.ts';
import { endOf, pauseAfter, type Run } from './run.ts';

/**
 * null: the run has not ended. The resulting `restartAtMs` is on the monotonic clock. `seenMs`: the monotonic time at
 * which this program saw the end; null: the run ended earlier, and its wall-clock time is used.
 */
export function lifeAfter(run: Run, clock: Clock, seenMs: number | null): ContainerLife | null {
  const end = endOf(run);
  if (end === null) return null;
  const pauseSeconds = pauseAfter(run);
  const nowMs = clock.monotonicMs();
  // If the end is in the future, the clock was set back: the pause begins now.
  const fromMs = seenMs ?? nowMs - Math.max(0, clock.nowMs() - end.endedAtMs);
  const restartAtMs = Math.max(nowMs, fromMs + pauseSeconds * 1_000);
  const { startedAtMs, again = false } = run;
  return { kind: 'ended', startedAtMs, end, again, pauseSeconds, restartAtMs, backOffTold: false };
}

/** Seconds until the next start, after one that failed because of an object that the container refers to. */
const RETRY_START_SECONDS = 5;

/** A program that cannot be started counts as a run; null: a missing object may still be created. */
export function failedRun(identity: RunIdentity, error: StartError, clock: Clock): Run | null {
  const { reason, exitCode, message } = error;
  if (reason !== 'StartError' && reason !== 'RunContainerError') return null;
  const nowMs = clock.nowMs();
  const failure = { exitCode, signal: null, endedAtMs: nowMs, reason: 'StartError', message };
  return { identity, container: null, failure, startedAtMs: nowMs };
}

export function unstartable({ reason, message }: StartError, clock: Clock): ContainerLife {
  const retryAtMs = clock.monotonicMs() + RETRY_START_SECONDS * 1_000;
  return { kind: 'unstartable', reason, message, retryAtMs };
}
