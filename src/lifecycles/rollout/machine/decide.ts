/**
 * Decides the next step for a Deployment and its lifecycle, with the reason. Pure. Each part has its own file:
 * `decide-ends.ts`, `decide-releasing.ts`, `decide-stamp.ts`, `decide-open.ts`, `decide-gated.ts`, `decide-abort.ts`,
 * `decide-released.ts`, `decide-restoring.ts`, `decide-rolling-back.ts`, `decide-at-rest.ts`.
 *
 *  ROLL-M1 A number is acted on only after it is in the status with its template. By then no hook pod of an older
 *     number is alive.
 *  ROLL-M2 The release is the only write that lets a new template run, and follows pre and mid of that number.
 *  ROLL-M3 The wanted count is stored before the replicas are set to 0, and that 0 never overwrites it.
 *  ROLL-M4 If the Deployment and the status disagree, the number on the Deployment shows which is newer.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { finalizerStep, isTerminating } from '../../../controller/finalizers.ts';
import type { DeploymentLifecycle, Phase } from '../kinds.ts';
import { FAILED_CONDITION, LIFECYCLE_FINALIZER, WANTED_REPLICAS } from '../names.ts';
import { decideBypass } from './bypass.ts';
import { decideRetry } from './decide-at-rest.ts';
import { decideAnew, decideUnkept, decideWithoutDeployment } from './decide-ends.ts';
import { decideGated, hold } from './decide-gated.ts';
import { decideReleasing } from './decide-releasing.ts';
import { decideOpening } from './decide-open.ts';
import { decideReleased } from './decide-released.ts';
import { dropStrays } from './decide-runs.ts';
import { decideResumed, decideStamp } from './decide-stamp.ts';
import { isManaged, type Managed, type Rolling, type RolloutFacts } from './facts.ts';
import { marksOf } from './marks.ts';
import {
  isPaused,
  isPausedAtRest,
  lastRollout,
  replicasOf,
  exceededProgress,
  isComplete,
} from './parts.ts';
import { rivalCondition } from './conditions-of.ts';
import type { MachineStep } from './step.ts';

export function decide(facts: RolloutFacts): MachineStep {
  const { lifecycle, deployment } = facts;
  if (lifecycle === null) return decideUnkept(facts);
  if (isTerminating(lifecycle)) return decideReleasing(facts, lifecycle);
  if (finalizerStep(lifecycle, LIFECYCLE_FINALIZER) === 'add') {
    return { kind: 'addFinalizer', reason: 'before anything else' };
  }
  const rival = decideRivals(facts);
  if (rival !== null) return rival;
  if (deployment === null || isTerminating(deployment) || !isManaged(facts)) {
    return decideWithoutDeployment(facts, lifecycle);
  }
  return decideManaged(facts);
}

function decideManaged(facts: Managed): MachineStep {
  return decideAnew(facts) ?? decideResumed(facts) ?? decideStamp(facts) ?? decideNumber(facts);
}

function decideRivals({ rivals }: RolloutFacts): MachineStep | null {
  // A terminating rival with our finalizer managed the Deployment before. Then an older lifecycle was restored, or
  // another one was created in the same second.
  const terminating = rivals.find(
    (other) => finalizerStep(other, LIFECYCLE_FINALIZER) === 'cleanUp',
  );
  if (terminating !== undefined) {
    return { kind: 'removeFinalizer', rival: terminating, reason: 'it manages no Deployment' };
  }
  const rival = rivals.find((other) => !isTerminating(other) && !hasCondition(other));
  if (rival === undefined) return null;
  return { kind: 'reportRival', rival, reason: 'an older lifecycle names the same Deployment' };
}

function hasCondition({ status }: RolloutFacts['rivals'][number]): boolean {
  return (status?.conditions ?? []).some(({ reason }) => reason === rivalCondition.reason);
}

/**
 * The step for an adopted Deployment. Its hook pods were created after the deletion of the lifecycle that owned them.
 */
function decideAdopted(facts: Managed): MachineStep {
  return dropStrays(facts, null) ?? { kind: 'wait', reason: 'nothing was rolled out yet' };
}

function decideNumber(facts: Managed): MachineStep {
  const { number, released } = marksOf(facts.deployment);
  const rollout = lastRollout(facts.lifecycle);
  if (number === null) return { kind: 'wait', reason: 'it has no number' };
  const stale = decideStaleHold(facts);
  if (stale !== null) return stale;
  const gating = isPausedAtRest(facts.lifecycle) ? pauseAtRest(facts) : decideLabel(facts);
  if (gating !== null) return gating;
  if (rollout === null || rollout.number !== number) {
    return number === released ? decideAdopted(facts) : decideOpening(facts, number);
  }
  return decideRolling({ ...facts, number, rollout });
}

function decideRolling(facts: Rolling): MachineStep {
  const { deployment, number } = facts;
  const emits = decideReport(facts);
  if (emits !== null) return emits;
  const isReleased = marksOf(deployment).released === number;
  const step = isReleased ? decideReleased(facts) : decideHeldBack(facts);
  return isWaiting(step) ? (dropStrays(facts, number) ?? step) : step;
}

/**
 * True: the step only waits. The reconcile then cleans up pods of ended attempts: their finalizers block nothing, so
 * that this is done last.
 */
function isWaiting(step: MachineStep): boolean {
  const { kind } = step.kind === 'stage' ? step.step : step;
  return kind === 'wait' || kind === 'waitFor';
}

function decideHeldBack(facts: Rolling): MachineStep {
  return decideBypass(facts) ?? decideHold(facts) ?? decideRetry(facts) ?? decideGated(facts);
}

const MOVING: readonly Phase[] = ['Releasing', 'Progressing', 'RollingBack'];

/** Pauses a Deployment whose gate works without a webhook. */
function pauseAtRest({ deployment, lifecycle }: Managed): MachineStep | null {
  const { number, released } = marksOf(deployment);
  if (number !== released || isMoving(deployment, lifecycle) || isPaused(deployment)) return null;
  const reason = 'it is paused at rest';
  return { kind: 'changeDeployment', reason, change: { paused: true }, emits: {} };
}

/**
 * True: pods are being replaced. A pause now would make the Deployment controller return to a ReplicaSet that had pods
 * before.
 */
function isMoving(deployment: Deployment, lifecycle: DeploymentLifecycle): boolean {
  const rollout = lastRollout(lifecycle);
  if (rollout !== null) return MOVING.includes(rollout.phase);
  return !isComplete(deployment) && exceededProgress(deployment) === null;
}

/** Ensures that the webhook receives the Deployment's writes, and that the gate was tested. */
function decideLabel({ deployment, gate }: Managed): MachineStep | null {
  const { labelled, number, released } = marksOf(deployment);
  if (!labelled) {
    const reason = 'without the label the webhook does not receive its changes';
    return { kind: 'changeDeployment', reason, change: { labelled: true }, emits: {} };
  }
  const isUntried = gate === null && number === released;
  return isUntried ? { kind: 'proveGate', reason: 'the gate was not tested yet' } : null;
}

/**
 * Removes a wanted count from an ungated Deployment. A release needs no such step, because it removes the count in its
 * own write.
 */
function decideStaleHold({ deployment }: Managed): MachineStep | null {
  const { number, released, wanted } = marksOf(deployment);
  if (wanted === null || number !== released) return null;
  const change = { annotations: { [WANTED_REPLICAS]: null } };
  return { kind: 'changeDeployment', reason: 'nothing holds its replicas', change, emits: {} };
}

/** Holds the replicas at 0 again after a client has scaled them. */
function decideHold(facts: Rolling): MachineStep | null {
  const { phase } = facts.rollout;
  if (phase === 'Restoring' || phase === 'RollingBack') return null;
  if (marksOf(facts.deployment).wanted === null) return null;
  return replicasOf(facts.deployment) === 0 ? null : hold(facts, 'they are held');
}

/** Copies the failure in the status to the condition of the Deployment (ROLL-DH14). */
function decideReport({ deployment, rollout }: Rolling): MachineStep | null {
  const { failure = null } = rollout;
  const { conditions = [] } = deployment.status ?? {};
  const found = conditions.find(({ type }) => type === FAILED_CONDITION) ?? null;
  const isSet =
    failure === null
      ? found?.status !== 'True'
      : found?.reason === failure.reason && found.message === failure.message;
  return isSet ? null : { kind: 'reportDeployment', failure, reason: 'the rollout failed' };
}
