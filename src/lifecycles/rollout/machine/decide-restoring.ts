/**
 * After an abort under Hold: restores the drained pods, and then puts the aborted template into the spec again. It
 * writes the earlier template with its replicas, waits for its pods, and writes the aborted template again, paused.
 * Only scaling up would start the pods of the newest ReplicaSet, which may have another template (ROLL-E8, ROLL-E8b).
 * After an interruption, the Deployment itself shows which write is next. Pure.
 */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import type { ReleasedTemplate } from '../kinds.ts';
import { WANTED_REPLICAS } from '../names.ts';
import { held } from './decide-abort.ts';
import type { Rolling } from './facts.ts';
import { marksOf, replicasAfterHold } from './marks.ts';
import { availableOf, isPaused, replicasOf, isObserved } from './parts.ts';
import { enter, leftMs } from './phases.ts';
import { deadlineSeconds } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';
import { digestOf, releasedTemplate, setOf } from './templates.ts';

export function decideRestoring(facts: Rolling): MachineStep {
  const { deployment, rollout, sets } = facts;
  const before = releasedTemplate(facts);
  // A user or a client has removed the record, so the template to restore is not known.
  if (before === null) return enter(facts, 'Held', { reason: 'there is no template to restore' });
  const set = setOf(sets, before.digest);
  const { wanted } = marksOf(deployment);
  if (digestOf(facts) === rollout.digest) {
    const isBack = hasReplicas(set, replicasOf(deployment)) || isGivenUp(facts, set);
    const isRestored = wanted === null && isBack;
    return isRestored ? held(facts) : putBack(facts, before, set);
  }
  // If the ReplicaSet is missing, this step unpauses the Deployment: the Deployment controller creates no ReplicaSet
  // while the Deployment is paused (ROLL-C14, ROLL-E25).
  if (wanted !== null || (set === null && isPaused(deployment))) return putBack(facts, before, set);
  return decideRestored(facts, set);
}

function decideRestored(facts: Rolling, set: ReplicaSet | null): MachineStep {
  const { deployment, rollout } = facts;
  const replicas = replicasOf(deployment);
  const available = set === null ? 0 : availableOf(set);
  const isThere = isObserved(deployment) && hasReplicas(set, replicas);
  const ms = leftMs(facts, deadlineSeconds(facts));
  const isLate = ms <= 0 && (isThere || isGivenUp(facts, set));
  if (!isLate && !(isThere && available >= replicas)) {
    const reason = `${available} of ${replicas} pods of the previous template are ready`;
    return ms > 0 ? { kind: 'waitFor', ms, reason } : { kind: 'wait', reason };
  }
  return {
    kind: 'changeDeployment',
    reason: 'the aborted template is in the spec again, and is held',
    change: { template: rollout.template, paused: true },
    emits: {},
  };
}

/**
 * True: the deadline has passed, and other ReplicaSets have pods too. The Deployment controller then scales no
 * ReplicaSet while the Deployment is paused, and the wait would never end.
 */
function isGivenUp(facts: Rolling, set: ReplicaSet | null): boolean {
  const areOthers = facts.sets.some((other) => other !== set && replicasOf(other) > 0);
  const isOver = leftMs(facts, deadlineSeconds(facts)) <= 0;
  return areOthers && isOver && isObserved(facts.deployment);
}

function hasReplicas(set: ReplicaSet | null, replicas: number): boolean {
  return set === null ? replicas === 0 : replicasOf(set) === replicas;
}

function putBack(
  { deployment }: Rolling,
  before: ReleasedTemplate,
  set: ReplicaSet | null,
): MachineStep {
  const replicas = replicasAfterHold(deployment) ?? replicasOf(deployment);
  return {
    kind: 'changeDeployment',
    reason: `the pods of the previous template are restored: ${replicas}`,
    change: {
      template: before.template,
      paused: set !== null,
      replicas,
      annotations: { [WANTED_REPLICAS]: null },
    },
    emits: {},
  };
}
