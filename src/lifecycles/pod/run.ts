/** One run of a container, and the identity of the next one. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { nextBackoffSeconds } from './backoff.ts';
import type { RunIdentity } from '../../platform/container-labels.ts';
import type { ContainerEnd, RunningContainer } from '../../platform/container-runtime.ts';
import { type PodContainer, restarts } from './containers.ts';
import type { StopCause } from './grace.ts';

export interface Run {
  readonly identity: RunIdentity;
  /** null: the program could not be started; `failure` has the reason. */
  readonly container: RunningContainer | null;
  readonly failure: ContainerEnd | null;
  readonly startedAtMs: number;
  /** Whether it was stopped to run again: a probe failed, or its spec has changed. */
  readonly again?: boolean;
}

/** When a kubelet stops a container to restart it, it uses the restart policy and ignores the exit code. */
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

/** A kubelet restarts such a container in the reconcile that stops it, before it sees an end to count. */
function isFirstKill({ identity, again = false }: Run): boolean {
  return again && identity.restartCount === 0;
}
