/**
 * Decides which writes of ReplicaSets are rejected. A paused Deployment does not prevent pods of its template: any
 * ReplicaSet with its labels starts them at once (ROLL-E5, ROLL-E14, ROLL-E15). Pure.
 *
 *  ROLL-RS1 Only a ReplicaSet with a released template may be created for a gated Deployment, get another template, or
 *     become one of that Deployment.
 *  ROLL-RS2 A ReplicaSet is scaled up only if its template was released or it already has pods: the Deployment
 *     controller spreads a scale-up over all ReplicaSets that have pods.
 *  ROLL-RS3 While the Deployment is held at 0 replicas, none of its ReplicaSets is scaled up.
 *  ROLL-RS4 Every other write is admitted: scaling down, orphaning, finalizers, annotations, any deletion.
 *
 * The Deployment controller creates and scales up only what ROLL-RS1 and ROLL-RS2 admit, unless its cache is outdated.
 * Bare pods with the same labels are not checked.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { ALLOWED, type Verdict } from '../../../controller/admission/admission-review.ts';
import { controllerOf } from '../../../controller/indexes.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { matchesLabels } from '../../../kube/label-selector.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { nameOf, replicasOf, uidOf } from '../machine/parts.ts';
import { releasedTemplate } from '../machine/templates.ts';
import { templateDigest } from '../template-digest.ts';
import { type GateState, gateStateOf } from './gate-state.ts';

export interface SetWrite {
  readonly set: ReplicaSet;
  /** The stored ReplicaSet; null: the write creates one. */
  readonly old: ReplicaSet | null;
}

/** A gated Deployment, and the lifecycles that name it, including terminating ones. */
export interface GatedOwner {
  readonly deployment: Deployment;
  readonly lifecycles: readonly DeploymentLifecycle[];
}

/** True: ROLL-RS1, ROLL-RS2 or ROLL-RS3 may reject the write. False: no Deployment has to be looked up. */
export function mayStartPods({ set, old }: SetWrite): boolean {
  if (old === null || replicasOf(set) > replicasOf(old)) return true;
  return hasOtherTemplate({ set, old }) || hasOtherOwner({ set, old });
}

/** True: the Deployment controls the ReplicaSet, or would adopt it. */
export function belongsTo(set: ReplicaSet, deployment: Deployment): boolean {
  if (set.metadata?.namespace !== deployment.metadata?.namespace) return false;
  const owner = controllerOf(set);
  if (owner !== undefined) return owner.uid === uidOf(deployment);
  return matchesLabels(deployment.spec?.selector, set.metadata?.labels ?? {});
}

export function judgeSet(write: SetWrite, owner: GatedOwner): Verdict {
  const { deployment } = owner;
  const state = gateStateOf(deployment);
  if (!state.labelled || !belongsTo(write.set, deployment)) return ALLOWED;
  const grows = replicasOf(write.set) > (write.old === null ? 0 : replicasOf(write.old));
  if (grows && state.held) return refused(write.set, heldText(deployment, state));
  if (!isJudged(write, deployment) || isReleased(write.set, owner)) return ALLOWED;
  return refused(write.set, unreleasedText(deployment, state));
}

/** True: ROLL-RS1 or ROLL-RS2 requires a released template. */
function isJudged({ set, old }: SetWrite, deployment: Deployment): boolean {
  if (old === null || hasOtherTemplate({ set, old })) return true;
  if (!belongsTo(old, deployment)) return !isOrphaned({ set, old });
  return replicasOf(old) === 0 && replicasOf(set) > 0;
}

/**
 * True: the template was released. An unknown template counts as unreleased, because the Deployment controller creates
 * no ReplicaSet while the Deployment is gated.
 */
function isReleased({ spec }: ReplicaSet, { deployment, lifecycles }: GatedOwner): boolean {
  const digest = templateDigest(spec?.template);
  const isOfPresent = digest === templateDigest(deployment.spec?.template);
  if (isOfPresent && !gateStateOf(deployment).gated) return true;
  return lifecycles.some(
    (lifecycle) =>
      lifecycle.status?.deploymentUID === uidOf(deployment) &&
      releasedTemplate({ lifecycle, deployment })?.digest === digest,
  );
}

type Update = SetWrite & { readonly old: ReplicaSet };

function hasOtherTemplate({ set, old }: Update): boolean {
  return templateDigest(set.spec?.template) !== templateDigest(old.spec?.template);
}

function hasOtherOwner({ set, old }: Update): boolean {
  const labels = (one: ReplicaSet): Record<string, string> => one.metadata?.labels ?? {};
  return controllerOf(set)?.uid !== controllerOf(old)?.uid || !sameJson(labels(set), labels(old));
}

/**
 * True: the garbage collector removes the owner reference. That must not be rejected, because a deletion with orphaned
 * dependents waits for it.
 */
function isOrphaned({ set, old }: Update): boolean {
  return controllerOf(set) === undefined && controllerOf(old) !== undefined;
}

function heldText(deployment: Deployment, { rollout }: GateState): string {
  const until = `until rollout ${rollout ?? '?'} is released`;
  return `Deployment "${nameOf(deployment)}" is held at 0 replicas ${until}, and so are its ReplicaSets`;
}

function unreleasedText(deployment: Deployment, { gated, rollout }: GateState): string {
  const { namespace = '' } = deployment.metadata ?? {};
  const name = nameOf(deployment);
  const why = gated ? `: rollout ${rollout ?? '?'} waits for its hooks` : '';
  const next = `Change the template of the Deployment instead; \`lifehook rollout status ${name} -n ${namespace}\` shows its rollout`;
  return `its template is not the released one of Deployment "${name}"${why}. ${next}`;
}

/** The rejection. The code is 403, because clients retry a 409 for ever (ROLL-E26). */
function refused({ metadata }: ReplicaSet, why: string): Verdict {
  const name = metadata?.name ?? metadata?.generateName ?? '';
  const message = `replicasets.apps "${name}" would start pods without passing Lifehook's gate: ${why}.`;
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
}
