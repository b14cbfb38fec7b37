/**
 * Opens a new number in three steps. The hooks of older numbers are ended and their pods deleted (the fence,
 * ROLL-DH18). The rollout is recorded in the status with its template. Only after that is the number acted on. Pure.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { identityOf } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';
import type { RolloutStatus } from '../kinds.ts';
import { ROLLOUT } from '../names.ts';
import { dropStrays, endRuns } from './decide-runs.ts';
import type { Managed } from './facts.ts';
import { holdAtZero } from './marks.ts';
import { beginningOf, directionOf, expectedRevision } from './opening-phase.ts';
import { uidOf, exceededProgress } from './parts.ts';
import { nowText } from './phases.ts';
import type { MachineStep } from './step.ts';
import { digestOf, releasedTemplate } from './templates.ts';

/** Milliseconds until the next look, in case the watch missed a deleted pod. */
const LOOK_AGAIN_MS = 10_000;
const DIGEST_SHOWN = 12;

export function decideOpening(facts: Managed, number: number): MachineStep {
  const untaken = decideTaken(facts, number);
  if (untaken !== null) return untaken;
  const abort = { reason: 'NewRollout', message: `rollout ${number} has begun` };
  const ending = endRuns(facts, abort, ({ spec }) => spec.rollout !== number);
  const clearing = ending ?? dropStrays(facts, number);
  if (clearing !== null) return clearing;
  const reason = fenceReason(facts.hookPods, number);
  return reason === null ? open(facts, number) : { kind: 'waitFor', ms: LOOK_AGAIN_MS, reason };
}

/**
 * Replaces a number that HookRuns of an earlier lifecycle have, because a stage would take their results as its own.
 * The numbers start again after a deleted lifecycle has released the Deployment, and its HookRuns may still exist.
 * null: no such HookRun has the number.
 */
function decideTaken(facts: Managed, number: number): MachineStep | null {
  const { deployment, hookRuns, lifecycle } = facts;
  const ofDeployment = hookRuns.filter(({ spec }) => spec.deploymentUID === uidOf(deployment));
  const taken = ofDeployment.some(
    ({ metadata, spec }) =>
      spec.rollout === number &&
      metadata?.ownerReferences?.some(({ uid }) => uid === uidOf(lifecycle)) !== true,
  );
  if (!taken) return null;
  const next = Math.max(...ofDeployment.map(({ spec }) => spec.rollout)) + 1;
  return {
    kind: 'changeDeployment',
    reason: `it gets the number ${next}: number ${number} has HookRuns of an earlier lifecycle`,
    change: {
      paused: true,
      annotations: { ...holdAtZero(deployment), [ROLLOUT]: String(next) },
    },
    emits: {},
  };
}

/**
 * Why the rollout must wait: when it begins, no hook of an older rollout may be alive (ROLL-DH18), and a deletion
 * timestamp does not prove that. null: no such hook is alive. The caller has already deleted the pods. `pods`: all hook
 * pods of the Deployment, from the server unless the cache has one that is alive.
 */
export function fenceReason(pods: readonly Pod[], number: number): string | null {
  const pod = pods.find((each) => !isFinished(each) && isOlder(each, number));
  if (pod === undefined) return null;
  const { name = '' } = pod.metadata ?? {};
  const where = pod.spec?.nodeName === undefined ? '' : ` on node ${pod.spec.nodeName}`;
  const { phase = 'Unknown' } = pod.status ?? {};
  return `hook pod ${name} of an older rollout has not ended yet (${phase}${where})`;
}

function isOlder(pod: Pod, number: number): boolean {
  const identity = identityOf(pod);
  return identity !== null && identity.number < number;
}

function open(facts: Managed, number: number): MachineStep {
  const { deployment } = facts;
  const digest = digestOf(facts);
  const released = releasedTemplate(facts);
  const { phase, more, notices } = beginningOf(facts, number, digest);
  const direction = directionOf(facts, digest);
  const at = nowText(facts);
  const stale = exceededProgress(deployment)?.lastUpdateTime;
  const rollout: RolloutStatus = {
    number,
    phase,
    direction,
    digest,
    template: deployment.spec?.template ?? {},
    ...(released?.revision === undefined ? {} : { fromRevision: released.revision }),
    toRevision: expectedRevision(facts, digest),
    startedAt: at,
    phaseStartedAt: at,
    ...(stale === undefined ? {} : { staleProgress: stale }),
    ...more,
  };
  const shown = digest.slice(0, DIGEST_SHOWN);
  const message = `${direction} ${number} begins, with template ${shown}.`;
  return {
    kind: 'record',
    reason: message,
    // The released template is stored again, because it may be only in the rollout that this write replaces.
    status: {
      deploymentUID: uidOf(deployment),
      rollout,
      ...(released === null ? {} : { released }),
    },
    emits: {
      notices: [{ type: 'Normal', reason: 'RolloutOpened', message }, ...notices],
      observed: [
        { type: 'RolloutOpened', number },
        { type: 'PhaseEntered', number, phase },
      ],
    },
  };
}
