/**
 * Decides the last steps of a restore: the clean-up after its end, or at its deletion. Pure.
 *
 *  SNAP-V9 A workload is scaled back when the restore has ended, or is deleted. After a failure, a workload that uses a
 *     claim of the restore stays at 0, since the claim's data may be wrong.
 *  SNAP-V12 A scratch restore deletes its pods and claims, whatever its result is.
 *  SNAP-V13 A deletion during the restore stops its hooks and keeps the lasting claims.
 *  SNAP-V17 A restore that completes deletes its pods: Kubernetes keeps a claim while a pod mounts it, even a pod that
 *     has ended.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { hasEnded } from '../../../kube/pod-state.ts';
import { identify } from '../app/identify.ts';
import { RESTORE_POD_FINALIZER } from '../names.ts';
import type { RestoreFacts } from './facts.ts';
import type { ScaledWorkload, SnapshotRestore } from './kinds.ts';
import type { RestoreStep } from './step.ts';

const LOOK_MS = 1_000;
/** Milliseconds after its grace period that a deleted pod may need to end. Then its node may be lost. */
const STOP_MS = 120_000;

export function decideEnd(facts: RestoreFacts): RestoreStep {
  const { restore, made } = facts;
  const { failure, phase, cleanedUpAt } = restore.status ?? {};
  if (failure === undefined && phase !== 'CleaningUp') return { kind: 'beginCleanup' };
  if (restore.spec.scratch === true && cleanedUpAt === undefined) return cleanUp(facts);
  // The pods of a failed restore are kept for their logs.
  const left = made.pods.filter(failure === undefined ? isLeft : isKept);
  if (left.length > 0) return { kind: 'releasePods', pods: left, deletes: failure === undefined };
  const workload = toScaleBack(restore);
  return workload === undefined ? { kind: 'complete' } : { kind: 'scaleBack', workload };
}

export function decideDeletion(facts: RestoreFacts): RestoreStep {
  const { restore, open, made } = facts;
  if (open !== null && open.exec.kind === 'underWay') return { kind: 'callOff' };
  if (restore.spec.scratch === true && restore.status?.cleanedUpAt === undefined) {
    return cleanUp(facts);
  }
  const left = made.pods.filter(isLeft);
  if (left.length > 0) return { kind: 'releasePods', pods: left, deletes: true };
  const workload = toScaleBack(restore);
  return workload === undefined ? { kind: 'removeFinalizer' } : scaleBack(workload, facts);
}

/** A pod that is being stopped may write to the claims that the workload uses: the workload waits for its end. */
function scaleBack(workload: ScaledWorkload, { made, nowMs }: RestoreFacts): RestoreStep {
  const stopping = made.pods.find((pod) => mayRun(pod, nowMs));
  if (stopping === undefined) return { kind: 'scaleBack', workload };
  const reason = `pod ${identify(stopping).name} is being stopped, and may use a claim of the workload`;
  return { kind: 'wait', ms: LOOK_MS, reason };
}

/** Whether a terminating pod may still run: it was placed on a node, which has not reported its end in time. */
function mayRun(pod: Pod, nowMs: number): boolean {
  if (pod.spec?.nodeName === undefined || hasEnded(pod)) return false;
  const { deletionTimestamp = '' } = pod.metadata ?? {};
  return nowMs < Date.parse(deletionTimestamp) + STOP_MS;
}

/** Deletes the pods first, since Kubernetes deletes a claim only when no pod uses it. */
function cleanUp({ made }: RestoreFacts): RestoreStep {
  const pods = made.pods.filter(isLeft);
  if (pods.length > 0) return { kind: 'releasePods', pods, deletes: true };
  const claims = made.claims.filter((claim) => !isTerminating(claim));
  if (claims.length > 0) return { kind: 'deleteClaims', claims };
  if (made.claims.length === 0) return { kind: 'cleanedUp' };
  return { kind: 'waitForClaims', claims: made.claims };
}

function isKept({ metadata }: Pod): boolean {
  return metadata?.finalizers?.includes(RESTORE_POD_FINALIZER) ?? false;
}

function isLeft(pod: Pod): boolean {
  return !isTerminating(pod) || isKept(pod);
}

/** Whether a failed restore keeps a workload at 0. Deleting the restore scales the workload back. */
export function keepsStopped(restore: SnapshotRestore): boolean {
  return restore.status?.failure !== undefined && stoppedBy(restore).length > 0;
}

function toScaleBack(restore: SnapshotRestore): ScaledWorkload | undefined {
  const isDeleted = isTerminating(restore);
  return stoppedBy(restore).find(({ keptStopped }) => isDeleted || keptStopped !== true);
}

/** Workloads that the restore has stopped, and has to scale back. */
export function stoppedBy({ spec, status }: SnapshotRestore): readonly ScaledWorkload[] {
  const wanted = (spec.preRestore ?? []).flatMap(({ scale }) => scale ?? []);
  return (status?.scaled ?? []).filter(({ kind, name, replicas, scaledBackAt }) => {
    const action = wanted.find((each) => each.kind === kind && each.name === name);
    return scaledBackAt === undefined && replicas > 0 && action?.scaleBack !== false;
  });
}
