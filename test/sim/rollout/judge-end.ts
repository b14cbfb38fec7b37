/** Judges the state after the faults, when nothing changes any more: ROLL-L5, ROLL-L8, ROLL-L9 and ROLL-L11. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { deployments, pods } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { isFinished } from '../../../src/lifecycles/rollout/hookpod/read-hook-pod.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type Phase,
  type RolloutStatus,
} from '../../../src/lifecycles/rollout/kinds.ts';
import { FAILED_CONDITION, HOOK_POD_FINALIZER } from '../../../src/lifecycles/rollout/names.ts';
import type { SimApi, Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import type { Hands } from './hands.ts';
import { isComplete } from './deployment-log.ts';
import type { RolloutJudge } from './judge.ts';
import { isThere } from './namespace.ts';
import { missingFromRival } from './rivals.ts';
import { KEY_OF_WEB, versionOf } from './scene.ts';

export interface End {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  readonly judge: RolloutJudge;
  readonly hands: Hands;
  /** True if no Event can be lost in this seed. */
  readonly areNotesWhole: boolean;
}

const OVER: readonly Phase[] = ['Done', 'Failed', 'Held', 'RolledBack'];

/** ROLL-L8: describes the pending work; null if there is none. */
export function whatIsMissing(api: SimApi): string | null {
  if (!isThere(api)) return 'the namespace is deleted, and is to be created again';
  const deployment = deploymentIn(api);
  const lifecycle = lifecycleIn(api);
  if (lifecycle?.metadata?.deletionTimestamp !== undefined)
    return 'the lifecycle is still terminating';
  return missingPods(api, deployment) ?? missingEnd(deployment, lifecycle) ?? missingFromRival(api);
}

function missingEnd(
  deployment: Deployment | undefined,
  lifecycle: DeploymentLifecycle | undefined,
): string | null {
  if (deployment === undefined) return null;
  if (lifecycle !== undefined) return missingPhase(deployment, lifecycle);
  const { gated, released } = gateStateOf(deployment);
  // The lifecycle was deleted before any rollout was released, so the Deployment waits for a user.
  const isLeft = released === null && deployment.spec?.paused === true;
  return gated && !isLeft ? 'no lifecycle names it, and it is gated' : null;
}

function missingPhase(
  deployment: Deployment,
  { status: { rollout, released } = {} }: DeploymentLifecycle,
): string | null {
  const { rollout: number, gated } = gateStateOf(deployment);
  if (rollout !== undefined && rollout.number === number) {
    return isOver(rollout, deployment) ? null : `rollout ${number} is ${rollout.phase}`;
  }
  const isAdopted = number !== null && !gated && released?.number === number;
  return isAdopted ? null : `rollout ${number} is not in the status`;
}

/**
 * True if the rollout has ended. It may also wait for the Deployment controller, which sets no deadline after a user's
 * pause or after the scaling of a complete rollout.
 */
function isOver({ phase, staleProgress }: RolloutStatus, deployment: Deployment): boolean {
  if (phase !== 'Progressing' || isComplete(deployment)) return OVER.includes(phase);
  const { conditions = [] } = deployment.status ?? {};
  const exceeded = conditions.find(({ reason }) => reason === 'ProgressDeadlineExceeded');
  return exceeded === undefined || exceeded.lastUpdateTime === staleProgress;
}

function missingPods(api: SimApi, deployment: Deployment | undefined): string | null {
  for (const object of api.peek(pods)) {
    const pod = object as unknown as Pod;
    const identity = identityOf(pod);
    if (identity === null) continue;
    const { name = '', finalizers = [] } = object.metadata;
    if (finalizers.includes(HOOK_POD_FINALIZER)) return `${name} has our finalizer`;
    if (!isFinished(pod)) return `${name} still runs`;
    if (deployment === undefined) return `${name} has no Deployment any more`;
  }
  return null;
}

export function judgeEnd(end: End): void {
  const deployment = deploymentIn(end.api);
  if (deployment !== undefined) {
    judgeReplicas(end, deployment);
    judgeHeld(end, deployment);
    judgeCondition(end, deployment);
  }
  if (end.areNotesWhole) judgeNotes(end);
}

/**
 * ROLL-L5: the replicas are the wanted ones. Without a record of a released template, no template is restored. The
 * number of replicas is then kept for the release.
 */
function judgeReplicas({ world, hands, api }: End, deployment: Deployment): void {
  const { held, wantedReplicas } = gateStateOf(deployment);
  const isUnknown = held && lifecycleIn(api)?.status?.released === undefined;
  const kept = isUnknown ? wantedReplicas : null;
  const replicas = kept ?? deployment.spec?.replicas ?? 1;
  if (hands.areWanted(replicas)) return;
  world.violate('ROLL-L5', `there are ${replicas} replicas, and ${hands.wanted} were wanted last`);
}

/** ROLL-L9: a held rollout is paused with its template in the spec, and only released versions run. */
function judgeHeld(end: End, { spec = { selector: {}, template: {} } }: Deployment): void {
  const rollout = lifecycleIn(end.api)?.status?.rollout;
  if (rollout?.phase !== 'Held') return;
  const what = `rollout ${rollout.number} is held`;
  if (spec.paused !== true) end.world.violate('ROLL-L9', `${what}, and is not paused`);
  const [present, held] = [spec.template, rollout.template].map(versionOf);
  if (present !== held) end.world.violate('ROLL-L9', `${what}, and ${present} is in the spec`);
  judgeServing(end, spec.replicas ?? 1);
}

function judgeServing({ world, account, judge }: End, replicas: number): void {
  const { released } = judge.gate;
  const own = account.alive().filter(({ hook }) => hook === null);
  const good = own.filter(({ version }) => version === released);
  if (!judge.gate.isSettled) return;
  const expected = released === null ? 0 : replicas;
  if (good.length === expected && own.length === good.length) return;
  const seen = own.map(({ podName, version }) => `${podName} (${version})`).join(', ');
  world.violate(
    'ROLL-L9',
    `${expected} pods of ${released ?? 'nothing'} are to serve; there run ${seen}`,
  );
}

/** ROLL-DH14: the Deployment shows the result of its rollout. */
function judgeCondition({ world, api }: End, deployment: Deployment): void {
  const { rollout } = lifecycleIn(api)?.status ?? {};
  if (rollout === undefined || rollout.number !== gateStateOf(deployment).rollout) return;
  const { conditions = [] } = deployment.status ?? {};
  const isReported = conditions.some(
    ({ type, status }) => type === FAILED_CONDITION && status === 'True',
  );
  if (!OVER.includes(rollout.phase) || isReported === (rollout.phase !== 'Done')) return;
  const what = `rollout ${rollout.number} is ${rollout.phase}`;
  world.violate(
    'ROLL-DH14',
    `${what}, and the condition Failed says ${isReported ? 'True' : 'no'}`,
  );
}

/** ROLL-L11, ROLL-DH14: an Event reports each failed attempt and each failed rollout. */
function judgeNotes({ world, judge }: End): void {
  for (const { run, uid, stage, number, attempt } of judge.failures.values()) {
    const text = `Rollout ${number}: attempt ${attempt} of the ${stage} hook `;
    const isReported = judge.notes.some(
      ({ reason, type, message, about }) =>
        type === 'Warning' &&
        reason === 'HookFailed' &&
        message.startsWith(text) &&
        about.kind === deployments.kind &&
        about.uid === uid,
    );
    if (!isReported)
      world.violate('ROLL-L11', `no Event reports that attempt ${attempt} of ${run} has failed`);
  }
  for (const number of judge.failedRollouts) {
    const isReported = judge.notes.some(
      ({ type, reason, message, about }) =>
        type === 'Warning' &&
        about.kind === deployments.kind &&
        ((reason === 'Failed' && message.startsWith(`Rollout ${number} has failed (`)) ||
          (reason === 'Held' && message.includes('was aborted before'))),
    );
    if (!isReported)
      world.violate('ROLL-DH14', `no Event reports that rollout ${number} has failed`);
  }
}

function deploymentIn(api: SimApi): Deployment | undefined {
  return stored(api.find(deployments, KEY_OF_WEB)) as Deployment | undefined;
}

function lifecycleIn(api: SimApi): DeploymentLifecycle | undefined {
  return stored(api.find(deploymentLifecycles, KEY_OF_WEB)) as DeploymentLifecycle | undefined;
}

function stored(object: Stored | undefined): unknown {
  return object;
}
