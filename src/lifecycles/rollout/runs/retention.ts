/** Finds the hook pods and HookRuns that exceed the numbers to keep (ROLL-DH20). Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { type HookPodIdentity, identityOf } from '../hookpod/identity.ts';
import { isFinished, readHookPod } from '../hookpod/read-hook-pod.ts';
import type { DeploymentLifecycleSpec, HookRun } from '../kinds.ts';
import {
  DEFAULT_FAILED_PODS_KEPT,
  DEFAULT_SUCCEEDED_PODS_KEPT,
  HOOK_POD_FINALIZER,
  ROLLOUTS_KEPT,
} from '../names.ts';
import { hasEnded, isPodOf } from './hook-run.ts';

export interface KeptPods {
  /** All hook pods of one Deployment. */
  readonly pods: readonly Pod[];
  readonly runs: readonly HookRun[];
  readonly podsKept: DeploymentLifecycleSpec['podsKept'];
}

/**
 * The pods to delete. The newest pods without Lifehook's finalizer are kept, with separate limits for succeeded pods
 * and for others.
 */
export function surplusPods({ pods, runs, podsKept = {} }: KeptPods): Pod[] {
  const { succeeded = DEFAULT_SUCCEEDED_PODS_KEPT, failed = DEFAULT_FAILED_PODS_KEPT } = podsKept;
  const over = pods
    .filter((pod) => isOver(pod, runs))
    .toSorted((a, b) => newestFirst(identityOf(a), identityOf(b)));
  return [
    ...over.filter((pod) => hasSucceeded(pod)).slice(succeeded),
    ...over.filter((pod) => !hasSucceeded(pod)).slice(failed),
  ];
}

function isOver(pod: Pod, runs: readonly HookRun[]): boolean {
  const identity = identityOf(pod);
  if (identity === null || !isFinished(pod) || isTerminating(pod)) return false;
  if (pod.metadata?.finalizers?.includes(HOOK_POD_FINALIZER) === true) return false;
  const run = runs.find((each) => isPodOf(each, pod));
  return run === undefined || hasEnded(run, identity.attempt);
}

function hasSucceeded(pod: Pod): boolean {
  const state = readHookPod(pod);
  return state.kind === 'ended' && state.outcome === 'Succeeded' && !state.stopped;
}

const STAGES: readonly HookPodIdentity['stage'][] = ['pre', 'mid', 'post'];

function newestFirst(a: HookPodIdentity | null, b: HookPodIdentity | null): number {
  if (a === null || b === null) return 0;
  return (
    b.number - a.number ||
    STAGES.indexOf(b.stage) - STAGES.indexOf(a.stage) ||
    b.attempt - a.attempt
  );
}

/**
 * The HookRuns of one lifecycle to delete: those that have ended, and are older than the last ROLLOUTS_KEPT rollouts.
 */
export function surplusRuns(runs: readonly HookRun[]): HookRun[] {
  // Sorted by time first, because the numbers of a recreated Deployment start again from 1.
  const newest = runs.toSorted(
    (a, b) => createdMs(b) - createdMs(a) || b.spec.rollout - a.spec.rollout,
  );
  const rollouts = new Set(newest.map((run) => rolloutOf(run)));
  const kept = new Set([...rollouts].slice(0, ROLLOUTS_KEPT));
  return runs.filter((run) => !kept.has(rolloutOf(run)) && hasSettled(run));
}

function rolloutOf({ spec }: HookRun): string {
  return `${spec.deploymentUID}/${spec.rollout}`;
}

/** Milliseconds; the API has a resolution of one second. */
function createdMs({ metadata }: HookRun): number {
  const ms = Date.parse(metadata?.creationTimestamp ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}

function hasSettled({ status }: HookRun): boolean {
  return status !== undefined && status.phase !== 'Running';
}
