/**
 * Decides for a deleted lifecycle: its hooks are ended, its Deployment is released from the gate in one write, and then
 * the finalizer is removed. `at-deletion.ts` decides about a held template. Pure.
 *
 *  ROLL-D3 The write that unpauses contains a released template, unless `onDelete` of the lifecycle is Release.
 *  ROLL-D4 In a terminating namespace, and without a Deployment, the finalizer waits for nothing.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { Notice } from '../../../controller/event-correlator.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import {
  ABORT,
  FAILED_CONDITION,
  LIFECYCLE_FINALIZER,
  RELEASED,
  RETRY,
  ROLLOUT,
  WANTED_REPLICAS,
} from '../names.ts';
import { atDeletion, whatFollows } from './at-deletion.ts';
import { clearPods, endRuns } from './decide-runs.ts';
import type { Managed, RolloutFacts } from './facts.ts';
import { isLeftHeld, marksOf, replicasAfterHold } from './marks.ts';
import { isPaused, isPausedAtRest, lastRollout, replicasOf } from './parts.ts';
import { failureOf } from './phases.ts';
import type { DeploymentChange, MachineStep } from './step.ts';

/** Reason of the condition on a Deployment that stays paused. */
const LIFECYCLE_DELETED = 'LifecycleDeleted';
const DELETED = 'the DeploymentLifecycle was deleted';

export function decideReleasing(facts: RolloutFacts, lifecycle: DeploymentLifecycle): MachineStep {
  if (!(lifecycle.metadata?.finalizers ?? []).includes(LIFECYCLE_FINALIZER)) {
    return { kind: 'wait', reason: 'it is being deleted' };
  }
  if (facts.isNamespaceTerminating) {
    return { kind: 'removeFinalizer', reason: 'its namespace is terminating' };
  }
  const ending = endRuns(facts, { reason: LIFECYCLE_DELETED, message: DELETED }, () => true);
  const clearing = ending ?? clearPods(facts, DELETED);
  if (clearing !== null) return clearing;
  const { deployment } = facts;
  const step =
    deployment === null || isTerminating(deployment)
      ? null
      : releaseDeployment({ ...facts, lifecycle, deployment });
  return step ?? { kind: 'removeFinalizer', reason: 'it has no objects any more' };
}

/** null: the Deployment was already released from the gate. */
function releaseDeployment(facts: Managed): MachineStep | null {
  const { deployment, lifecycle } = facts;
  const { labelled, number } = marksOf(deployment);
  if (!labelled && number === null) return null;
  const wasOpened = lastRollout(lifecycle)?.number === number;
  const isLeft = !labelled && isLeftHeld(deployment) && !wasOpened;
  return isLeft ? reportLeftHeld(facts) : takeGateOff(facts);
}

function takeGateOff(facts: Managed): MachineStep {
  const message = `The DeploymentLifecycle was deleted: ${whatFollows(facts)}.`;
  const { change, type, reason } = changeOf(facts);
  return {
    kind: 'changeDeployment',
    reason: message,
    change: { ...change, labelled: false },
    emits: { notices: [{ type, reason, message }] },
  };
}

type AnnotationChange = Pick<Notice, 'type' | 'reason'> & { readonly change: DeploymentChange };

function changeOf(facts: Managed): AnnotationChange {
  const follows = atDeletion(facts);
  switch (follows.kind) {
    case 'nothingHeld':
      return { change: freed(facts), type: 'Normal', reason: 'Released' };
    case 'release':
      return { change: freed(facts), type: 'Warning', reason: 'Released' };
    case 'restore': {
      const { template } = follows.before;
      return { change: { ...freed(facts), template }, type: 'Warning', reason: 'Restored' };
    }
    case 'stayPaused':
      return { change: leftHeld(facts.deployment), type: 'Warning', reason: 'LeftPaused' };
    default:
      return follows satisfies never;
  }
}

/**
 * The change that removes the gate. Without an open rollout, `paused` is the choice of the user, and a wanted count is
 * ignored because nothing holds the replicas.
 */
function freed({ deployment, lifecycle }: Managed): DeploymentChange {
  const { number, released } = marksOf(deployment);
  const replicas = replicasAfterHold(deployment);
  const isGated = number !== null && number !== released;
  const ours = isGated || (number !== null && isPausedAtRest(lifecycle));
  return {
    ...(ours ? { paused: false } : {}),
    ...(isGated && replicas !== null ? { replicas } : {}),
    annotations: withoutMarks,
  };
}

const withoutMarks: Readonly<Record<string, null>> = {
  [ROLLOUT]: null,
  [RELEASED]: null,
  [WANTED_REPLICAS]: null,
  [RETRY]: null,
  [ABORT]: null,
};

/**
 * The change that leaves the Deployment paused. It uses the next number, because the HookRuns of the current one are of
 * hooks that a new lifecycle does not have.
 */
function leftHeld(deployment: Deployment): DeploymentChange {
  const { number } = marksOf(deployment);
  const annotations = {
    [ROLLOUT]: String((number ?? 0) + 1),
    [RELEASED]: null,
    [RETRY]: null,
    [ABORT]: null,
  };
  return { paused: true, annotations };
}

/** The step that reports a Deployment which stays paused; null: a condition of the Deployment already reports it. */
function reportLeftHeld(facts: Managed): MachineStep | null {
  if (isReported(facts.deployment)) return null;
  const message = `The DeploymentLifecycle was deleted: ${whatFollows(facts)}.`;
  const failure = failureOf(facts, { reason: LIFECYCLE_DELETED, message });
  return { kind: 'reportDeployment', failure, reason: 'the rollout failed' };
}

function isReported({ status }: Deployment): boolean {
  const { conditions = [] } = status ?? {};
  return conditions.some(
    ({ type, status: is, reason }) =>
      type === FAILED_CONDITION && is === 'True' && reason === LIFECYCLE_DELETED,
  );
}

/** The step for a paused Deployment that no lifecycle names any more: it is not changed until a user resumes it. */
export function decideLeftHeld(deployment: Deployment, number: number): MachineStep {
  const { labelled } = marksOf(deployment);
  if (isPaused(deployment)) {
    if (!labelled) return { kind: 'wait', reason: 'it stays paused until it is resumed' };
    const reason = 'no DeploymentLifecycle names it: without the label it can be resumed';
    return { kind: 'changeDeployment', reason, change: { labelled: false }, emits: {} };
  }
  return releaseResumed(deployment, number);
}

/**
 * The step for a Deployment that a user has resumed: its template runs without hooks, and the gate's annotations are
 * removed.
 */
export function releaseResumed(deployment: Deployment, number: number): MachineStep {
  if (isReported(deployment)) {
    return { kind: 'reportDeployment', failure: null, reason: 'it was resumed' };
  }
  const { wanted } = marksOf(deployment);
  const message = `Rollout ${number} runs without its hooks: it was resumed by hand.`;
  const isHeldAtZero = wanted !== null && replicasOf(deployment) === 0;
  return {
    kind: 'changeDeployment',
    reason: message,
    change: { ...(isHeldAtZero ? { replicas: wanted } : {}), annotations: withoutMarks },
    emits: { notices: [{ type: 'Normal', reason: 'Released', message }] },
  };
}
