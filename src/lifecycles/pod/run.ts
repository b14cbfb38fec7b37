/** One run of a container: its end, the pause after it, and the identity of the next one. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { RunIdentity } from '../../platform/container-labels.ts';
import type {
  ContainerEnd,
  RunningContainer,
  StartError,
} from '../../platform/container-runtime.ts';
import { type PodContainer, restarts } from './containers.ts';
import type { StopCause } from './grace.ts';
import type { Clock } from '../../platform/platform.ts';
import type { ContainerLife } from './facts.ts';

export interface Run {
  readonly identity: RunIdentity;
  /** null: the program could not be started, and `failure` has the reason. */
  readonly container: RunningContainer | null;
  readonly failure: ContainerEnd | null;
  readonly startedAtMs: number;
  /** True: the container was stopped for a restart, because a probe failed or its spec changed. */
  readonly again?: boolean;
}

/**
 * The run after its stop was requested, with `again`: whether its container is restarted after this stop. After a
 * failed probe only the restart policy decides, as in a kubelet: the exit code is ignored.
 */
export function stoppedRun(run: Run, { cause, pod, ...container }: StoppedFor): Run {
  const { kind } = cause;
  const again = kind === 'inPlace' || (kind === 'probe' && restarts(container, pod, null));
  return { ...run, again };
}

interface StoppedFor extends PodContainer {
  readonly cause: StopCause;
  readonly pod: Pod;
}

export function endOf({ container, failure }: Run): ContainerEnd | null {
  return container === null ? failure : container.end;
}

/** Seconds between this run's end and the next run. */
export function pauseAfter(run: Run): number {
  const end = endOf(run);
  const ranMs = end === null ? 0 : end.endedAtMs - run.startedAtMs;
  return nextBackoffSeconds({ backoffSeconds: run.identity.backoffSeconds, ranMs });
}

export function nextIdentity(pod: Pod, container: string, before: Run | null): RunIdentity {
  const { uid = '', namespace = '', name = '' } = pod.metadata ?? {};
  return {
    podUid: uid,
    namespace,
    pod: name,
    container,
    restartCount: before === null ? 0 : before.identity.restartCount + 1,
    backoffSeconds: before === null || isFirstKill(before) ? null : pauseAfter(before),
  };
}

/**
 * True: the first run was stopped for a restart. A kubelet restarts the container in the same reconcile, before the
 * kubelet has seen an exit that counts for the back-off.
 */
function isFirstKill({ identity, again = false }: Run): boolean {
  return again && identity.restartCount === 0;
}

/**
 * The restart back-off of a container.
 *
 * Worked example, each run shorter than ten minutes: the first restart is immediate. The next ones follow 10, 20, 40,
 * 80, 160 and then always 300 seconds after the end of a run. After a run of ten minutes the back-off starts over.
 */
const FIRST_BACKOFF_SECONDS = 10;
const MAX_BACKOFF_SECONDS = 300;

/** Seconds. A run of this length counts as a success, after which the back-off starts over. */
const RESET_AFTER_SECONDS = 600;

/**
 * Seconds between the end of a run and the next restart. `backoffSeconds`: the pause before that run; null: it was the
 * first run; 0: it followed at once. `ranMs`: the duration of that run.
 */
export function nextBackoffSeconds(before: {
  readonly backoffSeconds: number | null;
  readonly ranMs: number;
}): number {
  const { backoffSeconds, ranMs } = before;
  if (backoffSeconds === null || ranMs >= RESET_AFTER_SECONDS * 1_000) return 0;
  if (backoffSeconds === 0) return FIRST_BACKOFF_SECONDS;
  return Math.min(backoffSeconds * 2, MAX_BACKOFF_SECONDS);
}

/**
 * The state of a container whose run has ended or could not start; null: the run has not ended. The resulting
 * `restartAtMs` is on the monotonic clock. `seenMs`: the monotonic time at which this program saw the end; null: the
 * run ended earlier, and its wall-clock time is used.
 */
export function lifeAfter(run: Run, clock: Clock, seenMs: number | null): ContainerLife | null {
  const end = endOf(run);
  if (end === null) return null;
  const pauseSeconds = pauseAfter(run);
  const nowMs = clock.monotonicMs();
  // The clock was set back if the end is in the future. The pause then begins now.
  const fromMs = seenMs ?? nowMs - Math.max(0, clock.nowMs() - end.endedAtMs);
  const restartAtMs = Math.max(nowMs, fromMs + pauseSeconds * 1_000);
  const { startedAtMs, again = false } = run;
  return {
    kind: 'ended',
    startedAtMs,
    end,
    again,
    pauseSeconds,
    restartAtMs,
    backOffReported: false,
  };
}

/** Seconds until the start is retried after a referenced object was missing. */
const RETRY_START_SECONDS = 5;

/**
 * The run of a program that could not be started: the failed start counts as a run. null: a missing object may still be
 * created, so the start is retried.
 */
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

/** Converts times in the future, which are stored on the monotonic clock, to the wall clock of decisions. */
export function inTimeOfDay(life: ContainerLife, clock: Clock): ContainerLife {
  const offsetMs = clock.nowMs() - clock.monotonicMs();
  if (life.kind === 'ended') return { ...life, restartAtMs: life.restartAtMs + offsetMs };
  if (life.kind === 'unstartable') return { ...life, retryAtMs: life.retryAtMs + offsetMs };
  return life;
}
