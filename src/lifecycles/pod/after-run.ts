/** What becomes of a container when a run of it has ended, or could not begin. Pure. */
import type { Clock } from '../../platform/platform.ts';
import type { RunIdentity } from '../../platform/container-labels.ts';
import type { StartError } from '../../platform/container-runtime.ts';
import type { ContainerLife } from './facts.ts';
import { endOf, pauseAfter, type Run } from './run.ts';

/**
 * null: it has not ended. Its time to come is of the clock that nobody sets, and so is `seenMs`, when this program
 * saw it end; null: it had ended before, and the time of day tells when.
 */
export function lifeAfter(run: Run, clock: Clock, seenMs: number | null): ContainerLife | null {
  const end = endOf(run);
  if (end === null) return null;
  const pauseSeconds = pauseAfter(run);
  const nowMs = clock.monotonicMs();
  // An end in the future is one that the clock was set back from: then the pause begins now.
  const fromMs = seenMs ?? nowMs - Math.max(0, clock.nowMs() - end.endedAtMs);
  const restartAtMs = Math.max(nowMs, fromMs + pauseSeconds * 1_000);
  const { startedAtMs, again = false } = run;
  return { kind: 'ended', startedAtMs, end, again, pauseSeconds, restartAtMs, backOffTold: false };
}

/** How long until a start is tried again that failed for what the container refers to, seconds. */
const RETRY_START_SECONDS = 5;

/** A program that cannot be started has had its run; null: what it refers to may yet come. */
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
