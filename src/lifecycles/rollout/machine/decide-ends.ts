/**
 * Decides the next step if the lifecycle or the Deployment is missing. Pure. `decide-releasing.ts` decides for deleted
 * lifecycles.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { OF_DEPLOYMENT_UID, RELEASED, WANTED_REPLICAS } from '../names.ts';
import { decideLeftHeld } from './decide-releasing.ts';
import { clearPods, dropStrays, endRuns } from './decide-runs.ts';
import type { Managed, RolloutFacts } from './facts.ts';
import { isLeftHeld, marksOf, replicasAfterHold } from './marks.ts';
import { isOver, nowText } from './phases.ts';
import type { MachineStep } from './step.ts';

/**
 * Milliseconds. A manifest may contain the lifecycle after its Deployment; the first rollout is still gated if the
 * lifecycle is created in this time.
 */
const LIFECYCLE_EXPECTED_MS = 5_000;

/**
 * The step if no lifecycle names the Deployment. Without this step the gate would hold the Deployment for ever.
 * Lifehook's finalizer would also keep a hook pod that was created after the deletion of its lifecycle.
 */
export function decideUnkept(facts: RolloutFacts): MachineStep {
  return dropStrays(facts, null) ?? decideUngating(facts);
}

function decideUngating({ deployment, nowMs }: RolloutFacts): MachineStep {
  if (deployment === null || isTerminating(deployment))
    return { kind: 'wait', reason: 'there is nothing' };
  const { number, released } = marksOf(deployment);
  if (number === null || number === released) {
    return { kind: 'wait', reason: 'no lifecycle names it' };
  }
  if (isLeftHeld(deployment)) return decideLeftHeld(deployment, number);
  const createdMs = Date.parse(deployment.metadata?.creationTimestamp ?? '') || 0;
  const waitMs = createdMs + LIFECYCLE_EXPECTED_MS - nowMs;
  if (waitMs > 0)
    return { kind: 'waitFor', ms: waitMs, reason: 'its lifecycle may still be created' };
  return releaseUnkept(deployment, number);
}

function releaseUnkept(deployment: Deployment, number: number): MachineStep {
  const replicas = replicasAfterHold(deployment);
  const message = `Rollout ${number} is released without hooks: no DeploymentLifecycle names this Deployment.`;
  return {
    kind: 'changeDeployment',
    reason: message,
    change: {
      paused: false,
      ...(replicas === null ? {} : { replicas }),
      annotations: { [RELEASED]: String(number), [WANTED_REPLICAS]: null },
    },
    emits: { notices: [{ type: 'Warning', reason: 'Released', message }] },
  };
}

/** The step if the Deployment is deleted or terminating. */
export function decideWithoutDeployment(
  facts: RolloutFacts,
  { status = {} }: DeploymentLifecycle,
): MachineStep {
  const message = 'the Deployment was deleted';
  const ending = endRuns(facts, { reason: 'DeploymentDeleted', message }, () => true);
  const clearing = ending ?? clearPods(facts, message);
  if (clearing !== null) return clearing;
  const { rollout } = status;
  if (rollout === undefined || isOver(rollout)) {
    return { kind: 'wait', reason: 'there is no Deployment of this name' };
  }
  const at = nowText(facts);
  const failure = { reason: 'DeploymentDeleted', message, at };
  return {
    kind: 'record',
    reason: message,
    status: {
      rollout: { ...rollout, phase: 'Failed', phaseStartedAt: at, finishedAt: at, failure },
    },
    emits: { observed: [{ type: 'PhaseEntered', number: rollout.number, phase: 'Failed' }] },
  };
}

/**
 * The step for a new Deployment of the same name; null: the Deployment is the recorded one. Once the hooks of the
 * earlier Deployment have ended, the records of that Deployment are dropped.
 */
export function decideAnew(facts: Managed): MachineStep | null {
  const { uid = '' } = facts.deployment.metadata ?? {};
  const { deploymentUID } = facts.lifecycle.status ?? {};
  if (deploymentUID === uid || deploymentUID === undefined) return null;
  const message = 'the Deployment was replaced by another of the same name';
  const abort = { reason: 'DeploymentDeleted', message };
  const ending = endRuns(facts, abort, ({ spec }) => spec.deploymentUID !== uid);
  const others = facts.hookPods.filter(
    ({ metadata }) => metadata?.labels?.[OF_DEPLOYMENT_UID] !== uid,
  );
  const clearing = ending ?? clearPods({ ...facts, hookPods: others }, message);
  if (clearing !== null) return clearing;
  const status = { deploymentUID: uid };
  return { kind: 'record', fresh: true, reason: message, status, emits: {} };
}
