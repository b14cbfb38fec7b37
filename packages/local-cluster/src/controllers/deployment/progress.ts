/**
 * Decides whether a rollout progresses: sets the condition `Progressing`, and says when to check again. Pure.
 *
 * Progress is one more pod of the new template, one fewer of an old one, or one more that is ready or available.
 * Progress, a resume after a pause and a new ReplicaSet restart the deadline.
 *
 * Example: progressDeadlineSeconds is 60, and the last progress was at 10:00:00. The deadline is exceeded at 10:01:01,
 * the first whole second after it.
 */
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from 'kubernetes-types/apps/v1.js';

import { conditionsOf, identityOf } from '../workload/parts.ts';
import {
  dropCondition,
  findCondition,
  type NewDeploymentCondition,
  type ProgressReason,
  renewCondition,
  setCondition,
  isComplete,
} from './status.ts';
import { allOf, type ReplicaSets } from './replica-sets.ts';

/** Value of progressDeadlineSeconds that means no deadline. */
const NO_DEADLINE_SECONDS = 2_147_483_647;
/** Milliseconds after the deadline at which the next reconcile runs, so that it finds the deadline exceeded. */
const LATER_MS = 1_000;

export function hasDeadline({ spec }: Deployment): boolean {
  const { progressDeadlineSeconds } = spec ?? {};
  return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_DEADLINE_SECONDS;
}

/** The status with the conditions for progress and for failures of ReplicaSets. */
export function withProgress(
  deployment: Deployment,
  sets: ReplicaSets,
  { status, nowMs }: { readonly status: DeploymentStatus; readonly nowMs: number },
): DeploymentStatus {
  const before = status.conditions ?? [];
  const progressed = hasDeadline(deployment)
    ? judged(deployment, sets, { status, nowMs })
    : dropCondition(before, 'Progressing');
  return { ...status, conditions: [...withFailures(progressed, sets)] };
}

interface Judging {
  readonly status: DeploymentStatus;
  readonly nowMs: number;
}

function judged(
  deployment: Deployment,
  sets: ReplicaSets,
  { status, nowMs }: Judging,
): readonly DeploymentCondition[] {
  const conditions = conditionsOf({ status });
  if (wasDone(deployment, status)) return conditions;
  const what = whatMoves(deployment, sets);
  if (isComplete(deployment, status)) {
    const next = progressing(
      'True',
      'NewReplicaSetAvailable',
      `${what} has successfully progressed.`,
    );
    return setCondition(conditions, next, nowMs);
  }
  if (hasProgressed(deployment.status ?? {}, status)) {
    const next = progressing('True', 'ReplicaSetUpdated', `${what} is progressing.`);
    return renewCondition(conditions, next, nowMs);
  }
  if (isOverdue(deployment, status, nowMs)) {
    const next = progressing(
      'False',
      'ProgressDeadlineExceeded',
      `${what} has timed out progressing.`,
    );
    return setCondition(conditions, next, nowMs);
  }
  return conditions;
}

function whatMoves(deployment: Deployment, { current }: ReplicaSets): string {
  if (current === null) return `Deployment "${identityOf(deployment).name}"`;
  return `ReplicaSet "${identityOf(current).name}"`;
}

export function progressing(
  status: NewDeploymentCondition['status'],
  reason: ProgressReason,
  message: string,
): NewDeploymentCondition {
  return { type: 'Progressing', status, reason, message };
}

/** True if no rollout is in progress: all pods have the current template, and the last rollout is complete. */
function wasDone(deployment: Deployment, status: DeploymentStatus): boolean {
  const current = findCondition(conditionsOf(deployment), 'Progressing');
  return (
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) &&
    current?.reason === 'NewReplicaSetAvailable'
  );
}

function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const oldPods = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number =>
    replicas - updatedReplicas;
  return (
    (now.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldPods(now) < oldPods(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isOverdue(deployment: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const condition = findCondition(status.conditions ?? [], 'Progressing');
  if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return leftMs(deployment, condition, nowMs) < 0;
}

/** Milliseconds until the deadline must be checked; null if no check is pending. */
export function lookAgainInMs(
  deployment: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | null {
  const condition = findCondition(conditionsOf(deployment), 'Progressing');
  if (!hasDeadline(deployment) || condition === undefined) return null;
  if (isComplete(deployment, status) || condition.reason === 'ProgressDeadlineExceeded')
    return null;
  return Math.max(0, leftMs(deployment, condition, nowMs)) + LATER_MS;
}

function leftMs(deployment: Deployment, condition: DeploymentCondition, nowMs: number): number {
  const { progressDeadlineSeconds = NO_DEADLINE_SECONDS } = deployment.spec ?? {};
  const sinceMs = Date.parse(condition.lastUpdateTime ?? '');
  return Number.isNaN(sinceMs) ? -1 : sinceMs + progressDeadlineSeconds * 1_000 - nowMs;
}

/** Copies to the deployment the condition ReplicaFailure of a ReplicaSet that cannot create its pods. */
function withFailures(
  conditions: readonly DeploymentCondition[],
  sets: ReplicaSets,
): readonly DeploymentCondition[] {
  const [found] = [...failuresOf(sets.current), ...allOf(sets).flatMap((set) => failuresOf(set))];
  const rest = dropCondition(conditions, 'ReplicaFailure');
  if (found === undefined) return rest;
  const before = findCondition(conditions, 'ReplicaFailure');
  if (before?.status === found.status && before.reason === found.reason) return conditions;
  return [...rest, found];
}

function failuresOf(set: ReplicaSet | null): DeploymentCondition[] {
  return conditionsOf(set ?? {})
    .filter(({ type }) => type === 'ReplicaFailure')
    .map((condition) => ({
      ...condition,
      lastUpdateTime: condition.lastTransitionTime ?? '',
    }));
}
