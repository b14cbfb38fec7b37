/** One run of a container, and which one comes after it. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { nextBackoffSeconds } from './backoff.ts';
import type { RunIdentity } from './container-labels.ts';
import type { ContainerEnd, RunningContainer } from './container-runtime.ts';

export interface Run {
  readonly identity: RunIdentity;
  /** null: its program could not be started; `failure` says why. */
  readonly container: RunningContainer | null;
  readonly failure: ContainerEnd | null;
  readonly startedAtMs: number;
  /** A liveness or startup probe has ended it. */
  readonly killedByProbe?: boolean;
}

export function endOf({ container, failure }: Run): ContainerEnd | null {
  return container === null ? failure : container.end;
}

/** The pause between this run's end and the next run, seconds. */
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

/** A kubelet starts a container again in the same pass in which a probe ends it, before it sees an end to count. */
function isFirstKill({ identity, killedByProbe = false }: Run): boolean {
  return killedByProbe && identity.restartCount === 0;
}
