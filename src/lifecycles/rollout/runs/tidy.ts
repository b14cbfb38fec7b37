/** Decides the cleanup of pods whose attempts have ended. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { identityOf } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';
import { ownerPatch } from '../hookpod/owner.ts';
import type { HookRun } from '../kinds.ts';
import { HOOK_POD_FINALIZER } from '../names.ts';
import { hasEnded, isPodOf } from './hook-run.ts';
import type { StageStep } from './stage.ts';

/** The next cleanup step for the pods of this run; null: there is nothing to do except to wait for a deletion. */
export function tidyStep(run: HookRun, pods: readonly Pod[]): StageStep | null {
  return tidySteps(run, pods)[0] ?? null;
}

/**
 * The step that deletes a pod whose attempt has ended and whose process runs; null: there is none, or it is already
 * terminating.
 */
export function deletion(run: HookRun, pods: readonly Pod[]): StageStep | null {
  return tidySteps(run, pods).find(({ kind }) => kind === 'deletePod') ?? null;
}

function tidySteps(run: HookRun, pods: readonly Pod[]): StageStep[] {
  return pods.flatMap((pod) => {
    const attempt = identityOf(pod)?.attempt ?? 0;
    if (!isPodOf(run, pod) || !hasEnded(run, attempt)) return [];
    const step = tidy(pod, 'its outcome is recorded');
    return step === null ? [] : [step];
  });
}

export interface ReleaseFacts {
  /** All hook pods of one Deployment. The Deployment may be deleted. */
  readonly pods: readonly Pod[];
  readonly runs: readonly HookRun[];
  /** Number of the open rollout, whose stage still handles a pod that has no HookRun. null: no rollout is open. */
  readonly openNumber: number | null;
}

/**
 * The steps for pods that no stage handles any more: they delete the pods, and remove the finalizer once no process is
 * alive.
 */
export function release({ pods, runs, openNumber }: ReleaseFacts): StageStep[] {
  return pods.flatMap((pod) => {
    const identity = identityOf(pod);
    if (identity === null) return [];
    const run = runs.find((each) => isPodOf(each, pod));
    const isOver =
      run === undefined ? identity.number !== openNumber : hasEnded(run, identity.attempt);
    const reason = run === undefined ? 'it has no HookRun' : 'its outcome is recorded';
    const step = isOver ? tidy(pod, reason) : null;
    return step === null ? [] : [step];
  });
}

function tidy(pod: Pod, reason: string): StageStep | null {
  if (!isFinished(pod)) return isTerminating(pod) ? null : { kind: 'deletePod', pod, reason };
  const isHeld = pod.metadata?.finalizers?.includes(HOOK_POD_FINALIZER) === true;
  return isHeld ? { kind: 'removeFinalizer', pod } : null;
}

export interface Adopting {
  readonly pods: readonly Pod[];
  readonly number: number;
  /** The ReplicaSet of the template of that rollout. */
  readonly replicaSet: ReplicaSet;
}

/** The steps that give the rollout's pods to the ReplicaSet, unless it already owns them (ROLL-DH19). */
export function adoptions({ pods, number, replicaSet }: Adopting): StageStep[] {
  return pods.flatMap((pod): StageStep[] => {
    const patch = identityOf(pod)?.number === number ? ownerPatch(pod, replicaSet) : null;
    return patch === null ? [] : [{ kind: 'changeOwner', pod, patch }];
  });
}
