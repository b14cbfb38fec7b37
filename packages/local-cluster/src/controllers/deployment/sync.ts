/**
 * One pass over one deployment: which sets are its own, one step towards the template or the number that
 * is asked for, and what the status says of it.
 *
 *  D1 A pass makes or resizes, writes the status, and returns; the change it has made brings it back.
 *  D2 A paused deployment gets no set, but its number of pods goes on being kept, with the sets there are.
 *  D3 The deadline of a rollout is a time in the status and a delayed key.
 */
import { isGoing } from '../../../../../src/controller/finalizers.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { replicaSets } from '../../../../../src/kube/resources.ts';
import { isReason } from '../../../../../src/kube/api-error.ts';
import { selectsEverything } from '../workload/child-index.ts';
import { findCondition, type NewDeploymentCondition } from './conditions.ts';
import { findSets, withCurrent } from './current-set.ts';
import { setsToDelete } from './history.ts';
import { isRolling } from './limits.ts';
import { type DeploymentPass, statusWith, tell, writeDeployment } from './pass.ts';
import { hasDeadline, lookAgainInMs, progressing, withProgress } from './progress.ts';
import { recreate } from './recreate.ts';
import type { ReplicaSets } from './replica-sets.ts';
import { rollBack, rollbackRevision } from './rollback.ts';
import { rollForward } from './rolling.ts';
import { isScaled, scale } from './scale.ts';
import { deploymentStatus, isComplete } from './status.ts';

export async function syncDeployment(pass: DeploymentPass): Promise<Outcome> {
  const { deployment } = pass;
  if (selectsEverything(deployment.spec?.selector)) return refuseEverything(pass);
  if (isGoing(deployment)) {
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
  // A write comes back as a change, and then there is time to wait for the deadline.
  if (await writeDeployment(pass, { status })) return done;
  const againMs = lookAgainInMs(deployment, status, nowMs);
  return againMs === null ? done : requeueAfter(againMs, 'the progress deadline');
}

/** No rollout: sizes follow the number, and paused ones are rid of old sets too. */
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
 * What has to be told of a pause that begins or ends; null: nothing. The end of a pause starts the
 * deadline's clock anew. A deadline that was exceeded stays so: a pause must not hide it.
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
    try {
      await pass.client.delete(replicaSets, { namespace, name });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

async function refuseEverything(pass: DeploymentPass): Promise<Outcome> {
  const message = 'This deployment is selecting all pods. A non-empty selector is required.';
  tell(pass, { type: 'Warning', reason: 'SelectingAll', message });
  const { status = {}, metadata } = pass.deployment;
  const { generation = 0 } = metadata ?? {};
  if ((status.observedGeneration ?? 0) < generation) {
    await writeDeployment(pass, { status: { ...status, observedGeneration: generation } });
  }
  return done;
}
