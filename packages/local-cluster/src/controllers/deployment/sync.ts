/**
 * Runs one reconcile of one deployment: adopts its ReplicaSets, takes one step of a rollout or scales, and writes the
 * status.
 *
 * - A reconcile does one step and writes the status. Its own write triggers the next reconcile.
 * - A paused deployment gets no new ReplicaSet, but its existing ones are scaled.
 * - The deadline of a rollout is stored as a time in the status, and checked by a delayed reconcile.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { replicaSets, deployments } from '../../../../../src/kube/resources.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import { selectsEverything } from '../workload/child-index.ts';
import { hasDeadline, lookAgainInMs, progressing, withProgress } from './progress.ts';
import {
  findCondition,
  type NewDeploymentCondition,
  deploymentStatus,
  isComplete,
} from './status.ts';
import { findSets, withCurrent } from './current-set.ts';
import { type DeploymentPass, statusWith, recordEvent, writeDeployment } from './pass.ts';
import {
  type ReplicaSets,
  counted,
  isActiveSet,
  byCreation,
  sizeOf,
  allOf,
} from './replica-sets.ts';
import { isScaled, resizeSet, scale } from './scale.ts';
import { controllerOf } from '../../../../../src/controller/indexes.ts';
import { annotationsOf, identityOf, templateOf } from '../workload/parts.ts';
import { revisionOf, revisionBefore, ROLLBACK_TO, rolledBackAnnotations } from './revisions.ts';
import { currentSetSize, isRolling, planOldSets, replicasOf } from './rolling-plan.ts';
import { sameTemplate, withoutHash } from './template.ts';
import { hasEnded } from '../../../../../src/kube/pod-state.ts';

/**
 * Revision of a rollback that an old client requested by an annotation; 0 for the previous one, null for none. The
 * annotation is removed even if the rollback fails. (kubectl's `rollout undo` writes the template itself.)
 */
function rollbackRevision({ metadata }: Deployment): number | null {
  const text = metadata?.annotations?.[ROLLBACK_TO];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function rollBack(pass: DeploymentPass, found: ReplicaSets, asked: number): Promise<void> {
  const sets = allOf(found);
  const revision = asked === 0 ? revisionBefore(sets) : asked;
  const set = revision === 0 ? undefined : sets.find((one) => revisionOf(one) === revision);
  if (set === undefined) {
    const message =
      revision === 0
        ? 'Unable to find last revision.'
        : 'Unable to find the revision to rollback to.';
    recordEvent(pass, { type: 'Warning', reason: 'DeploymentRollbackRevisionNotFound', message });
    await write(pass, pass.deployment);
    return;
  }
  await restoreTemplate(pass, set, revision);
}

async function restoreTemplate(
  pass: DeploymentPass,
  set: ReplicaSet,
  revision: number,
): Promise<void> {
  const { deployment } = pass;
  const { name } = identityOf(deployment);
  const template = templateOf(set);
  if (sameTemplate(template, templateOf(deployment))) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    recordEvent(pass, { type: 'Warning', reason: 'DeploymentRollbackTemplateUnchanged', message });
    await write(pass, deployment);
    return;
  }
  const annotations = rolledBackAnnotations(annotationsOf(deployment), annotationsOf(set));
  await write(pass, {
    ...deployment,
    metadata: { ...deployment.metadata, annotations },
    spec: { selector: {}, ...deployment.spec, template: withoutHash(template) },
  });
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  recordEvent(pass, { type: 'Normal', reason: 'DeploymentRollback', message });
}

async function write(pass: DeploymentPass, wanted: Deployment): Promise<void> {
  const { [ROLLBACK_TO]: _, ...annotations } = annotationsOf(wanted);
  pass.deployment = await pass.client.replace(deployments, {
    ...wanted,
    metadata: { ...wanted.metadata, annotations },
  });
}

export async function syncDeployment(pass: DeploymentPass): Promise<Outcome> {
  const { deployment } = pass;
  if (selectsEverything(deployment.spec?.selector)) return refuseEverything(pass);
  if (isTerminating(deployment)) {
    await writeCounts(pass, await findSets(pass));
    return done;
  }
  const pause = pauseCondition(pass);
  if (pause !== null) await writeDeployment(pass, { status: statusWith(pass, pause) });
  if (deployment.spec?.paused === true) return keepNumber(pass, await findSets(pass));
  return moveOn(pass, await findSets(pass));
}

async function moveOn(pass: DeploymentPass, found: ReplicaSets): Promise<Outcome> {
  const revision = rollbackRevision(pass.deployment);
  if (revision !== null) {
    await rollBack(pass, await withCurrent(pass, found), revision);
    return done;
  }
  return isScaled(pass, found) ? keepNumber(pass, found) : rollOut(pass, found);
}

async function rollOut(pass: DeploymentPass, found: ReplicaSets): Promise<Outcome> {
  const step = isRolling(pass.deployment) ? rollForward : recreate;
  const sets = await step(pass, found);
  if (isComplete(pass.deployment, pass.deployment.status ?? {})) await cleanUp(pass, sets);
  const { deployment } = pass;
  const nowMs = pass.nowMs();
  const counts = deploymentStatus(deployment, sets, nowMs);
  const status = withProgress(deployment, sets, { status: counts, nowMs });
  // The write triggers another reconcile, which schedules the check of the deadline.
  if (await writeDeployment(pass, { status })) return done;
  const againMs = lookAgainInMs(deployment, status, nowMs);
  return againMs === null ? done : requeueAfter(againMs, 'the progress deadline');
}

/** Scales without a rollout. Also deletes old ReplicaSets of a paused deployment above the history limit. */
async function keepNumber(pass: DeploymentPass, sets: ReplicaSets): Promise<Outcome> {
  await scale(pass, sets);
  const { deployment } = pass;
  if (deployment.spec?.paused === true && rollbackRevision(deployment) === null) {
    await cleanUp(pass, sets);
  }
  await writeCounts(pass, sets);
  return done;
}

async function writeCounts(pass: DeploymentPass, sets: ReplicaSets): Promise<void> {
  await writeDeployment(pass, {
    status: deploymentStatus(pass.deployment, sets, pass.nowMs()),
  });
}

/**
 * The condition to write when a pause begins or ends; null if there is none. The end of a pause restarts the deadline.
 * A deadline that was exceeded stays exceeded: a pause must not hide it.
 */
function pauseCondition({ deployment }: DeploymentPass): NewDeploymentCondition | null {
  const condition = findCondition(deployment.status?.conditions ?? [], 'Progressing');
  if (!hasDeadline(deployment) || condition?.reason === 'ProgressDeadlineExceeded') return null;
  const paused = deployment.spec?.paused === true;
  if (paused === (condition?.reason === 'DeploymentPaused')) return null;
  return paused
    ? progressing('Unknown', 'DeploymentPaused', 'Deployment is paused')
    : progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed');
}

async function cleanUp(pass: DeploymentPass, { old }: ReplicaSets): Promise<void> {
  for (const { metadata = {} } of setsToDelete(pass.deployment, old)) {
    const { namespace = '', name = '' } = metadata;
    await orNull(pass.client.delete(replicaSets, { namespace, name }), 'NotFound');
  }
}

async function refuseEverything(pass: DeploymentPass): Promise<Outcome> {
  const message = 'This deployment is selecting all pods. A non-empty selector is required.';
  recordEvent(pass, { type: 'Warning', reason: 'SelectingAll', message });
  const { status = {}, metadata } = pass.deployment;
  const { generation = 0 } = metadata ?? {};
  if ((status.observedGeneration ?? 0) < generation) {
    await writeDeployment(pass, { status: { ...status, observedGeneration: generation } });
  }
  return done;
}

/**
 * Recreate: scales the old ReplicaSets to 0, and creates the new one once all old pods are deleted. A terminating pod
 * still counts, even on an unreachable node.
 */
async function recreate(pass: DeploymentPass, found: ReplicaSets): Promise<ReplicaSets> {
  const active = found.old.filter(isActiveSet);
  for (const set of active) await resizeSet(pass, set, 0);
  if (active.length > 0 || oldPodsRun(found, pass.pods)) return found;
  const sets = await withCurrent(pass, found);
  await resizeSet(pass, sets.current, replicasOf(pass.deployment));
  return sets;
}

function oldPodsRun({ current, old }: ReplicaSets, pods: readonly Pod[]): boolean {
  if (counted(old, 'replicas') > 0) return true;
  const others = pods.filter((pod) => controllerOf(pod)?.uid !== current?.metadata?.uid);
  return others.some((pod) => !hasEnded(pod));
}

/** Value of revisionHistoryLimit that keeps all ReplicaSets. */
const NO_LIMIT = 2_147_483_647;

/**
 * Old ReplicaSets above the history limit, lowest revision first, without pods and with an up-to-date status. With
 * limit 2 and old revisions 1 to 5, revisions 1 to 3 are deleted; 2 stays while it has pods.
 */
export function setsToDelete(
  { spec }: Deployment,
  old: readonly ReplicaSet[],
): readonly ReplicaSet[] {
  const { revisionHistoryLimit = NO_LIMIT } = spec ?? {};
  if (revisionHistoryLimit === NO_LIMIT) return [];
  const alive = old.filter((set) => !isTerminating(set));
  return alive
    .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b))
    .slice(0, Math.max(0, alive.length - revisionHistoryLimit))
    .filter(isAtRest);
}

function isAtRest(set: ReplicaSet): boolean {
  const { generation = 0 } = set.metadata ?? {};
  const { replicas, observedGeneration = 0 } = set.status ?? { replicas: 0 };
  return replicas === 0 && sizeOf(set) === 0 && observedGeneration >= generation;
}

/**
 * RollingUpdate: resizes the new ReplicaSet or the old ones, one step per reconcile. Resolves to the ReplicaSets as
 * they were before.
 */
async function rollForward(pass: DeploymentPass, found: ReplicaSets): Promise<ReplicaSets> {
  const sets = await withCurrent(pass, found);
  const { current, old } = sets;
  const { deployment } = pass;
  const replicas = replicasOf(deployment);
  const wanted =
    sizeOf(current) > replicas ? replicas : currentSetSize(deployment, old, sizeOf(current));
  if (await resizeSet(pass, current, wanted)) return sets;
  for (const { set, size } of planOldSets(deployment, current, old.filter(isActiveSet))) {
    await resizeSet(pass, set, size);
  }
  return sets;
}
