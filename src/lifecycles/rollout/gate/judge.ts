/**
 * The validating webhook: decides which writes are rejected. Pure, given the looked-up objects. It runs after all
 * webhooks that change objects, and requires exactly the result of `stamp`.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import {
  type AdmissionRequest,
  ALLOWED,
  type Verdict,
} from '../../../controller/admission/admission-review.ts';
import { findingsVerdict } from '../../../controller/admission/findings-verdict.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { atDeletion, whatFollows } from '../machine/at-deletion.ts';
import { replicasAfterHold } from '../machine/marks.ts';
import { replicasOf } from '../machine/parts.ts';
import { RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';
import { checkAgainstDeployment } from '../schema/check-against-deployment.ts';
import { validateLifecycle } from '../schema/validate.ts';
import { gateStateOf } from './gate-state.ts';
import type { PatchOperation } from './gated-fields.ts';
import { type GateInput, stamp } from './stamp.ts';

/** The answer to a refused write. Clients would retry a 409 for ever (ROLL-E26). */
const FORBIDDEN = { code: 403, reason: 'Forbidden' };

/** Admits a write only if it still is as `stamp` requires, after all mutating webhooks have run. */
export function judgeDeployment(input: GateInput): Verdict {
  const { patch } = stamp(input);
  if (patch.length === 0) return ALLOWED;
  const wanted = patch.map(reported).join(', ');
  const message =
    `Lifehook's gate guards this Deployment, and this write lacks changes that the gate made: ${wanted}. ` +
    'Either another admission webhook changed that after Lifehook, or Lifehook is missing from the ' +
    'mutating webhooks: `lifehook rollout check` shows which.';
  return { allowed: false, status: { ...FORBIDDEN, message } };
}

export interface ScaleInput {
  /** `spec.replicas` of the Scale object. */
  readonly replicas: number;
  /** The Deployment of the Scale; null: it does not exist, or could not be read. */
  readonly deployment: Deployment | null;
}

/**
 * Judges a scale request. It is rejected while the Deployment is held at 0, because a Scale cannot be stamped
 * (ROLL-C15, ROLL-E26). A 0 that changes nothing is admitted. A 0 between the record of the wanted count and the 0 of
 * the hold is rejected: it would be taken for the 0 of the hold, and the count that it requests would be lost.
 */
export function judgeScale({ replicas, deployment }: ScaleInput): Verdict {
  if (deployment === null) return ALLOWED;
  const { labelled, held } = gateStateOf(deployment);
  const isRepeated = replicas === 0 && replicasOf(deployment) === 0;
  if (!labelled || !held || isRepeated) return ALLOWED;
  return { allowed: false, status: { ...FORBIDDEN, message: heldText(deployment, replicas) } };
}

function heldText(deployment: Deployment, replicas: number): string {
  const { namespace = '', name = '' } = deployment.metadata ?? {};
  const { rollout } = gateStateOf(deployment);
  return (
    `deployments.apps "${name}" is held at 0 replicas until rollout ${rollout ?? '?'} is released, ` +
    `and then gets ${replicasAfterHold(deployment) ?? 0}. For another number: ` +
    `kubectl annotate deployment ${name} -n ${namespace} --overwrite ${WANTED_REPLICAS}=${replicas}`
  );
}

/** The objects with which a lifecycle is compared. */
export interface LifecycleContext {
  /** The Deployment that the lifecycle names; null: it does not exist, or could not be read. */
  readonly deployment: Deployment | null;
  /**
   * The lifecycle in charge, which is the oldest that names the Deployment; null: there is none, it was not needed, or
   * it could not be read.
   */
  readonly incumbent: DeploymentLifecycle | null;
}

/** True: a warning about this request depends on the lifecycle in charge, which therefore has to be looked up. */
export function needsIncumbent({ object, oldObject = null }: AdmissionRequest): boolean {
  if (object === null || oldObject === null) return true;
  return isSetToRelease(oldObject as unknown as DeploymentLifecycle, object as never);
}

/**
 * Checks the rules of a lifecycle, and its hooks against the Deployment (ROLL-C9, ROLL-C25). A deletion gets a warning,
 * and is always admitted.
 */
export function judgeLifecycle(request: AdmissionRequest, beside: LifecycleContext): Verdict {
  const { object, oldObject = null } = request;
  const { deployment } = beside;
  if (object === null) {
    return { allowed: true, warnings: deletionWarnings(oldObject, beside) };
  }
  const found = validateLifecycle(oldObject === null ? { object } : { object, before: oldObject });
  if (found.errors.length > 0 || deployment === null) return findingsVerdict(request, found);
  const lifecycle = object as unknown as DeploymentLifecycle;
  const before = oldObject as unknown as DeploymentLifecycle | null;
  // A later template may cause problems of unchanged hooks. These problems must not block other changes, or the removal
  // of a finalizer.
  const against = haveSameHooks(before, lifecycle)
    ? { errors: [], warnings: [] }
    : checkAgainstDeployment(lifecycle, deployment);
  return findingsVerdict(request, {
    errors: against.errors,
    warnings: [
      ...found.warnings,
      ...against.warnings,
      ...(before === null ? rivalWarnings(lifecycle, beside) : []),
      ...(isSetToRelease(before, lifecycle) ? deletionWarnings(object, beside) : []),
    ],
  });
}

function haveSameHooks(before: DeploymentLifecycle | null, after: DeploymentLifecycle): boolean {
  if (before === null) return false;
  const { rollingUpdate = null, recreate = null } = after.spec;
  const { rollingUpdate: rolling = null, recreate: recreated = null } = before.spec;
  return sameJson(rolling, rollingUpdate) && sameJson(recreated, recreate);
}

function isSetToRelease(before: DeploymentLifecycle | null, after: DeploymentLifecycle): boolean {
  return after.spec.onDelete === 'Release' && before?.spec.onDelete !== 'Release';
}

/**
 * Warns if a template is held now. The deletion of a lifecycle that is not in charge gets no warning, because it
 * changes nothing.
 */
function deletionWarnings(
  object: JsonObject | null,
  { deployment, incumbent }: LifecycleContext,
): string[] {
  if (object === null || deployment === null) return [];
  const lifecycle = object as unknown as DeploymentLifecycle;
  if (isRival(lifecycle, incumbent)) return [];
  const facts = { lifecycle, deployment, sets: [] };
  if (atDeletion(facts).kind === 'nothingHeld') return [];
  return [`when this DeploymentLifecycle is deleted, ${whatFollows(facts)}`];
}

function rivalWarnings(lifecycle: DeploymentLifecycle, { incumbent }: LifecycleContext): string[] {
  // A terminating lifecycle is not a rival.
  if (!isRival(lifecycle, incumbent) || incumbent?.metadata?.deletionTimestamp !== undefined)
    return [];
  const { name } = incumbent?.metadata ?? {};
  return [
    `the DeploymentLifecycle ${JSON.stringify(name)} is older and names the same Deployment: no hook of this one runs as long as that one exists`,
  ];
}

/** True: another lifecycle is in charge of the Deployment. */
function isRival(
  { metadata }: DeploymentLifecycle,
  incumbent: DeploymentLifecycle | null,
): boolean {
  return incumbent !== null && incumbent.metadata?.name !== metadata?.name;
}

function reported({ path, value }: PatchOperation): string {
  switch (path) {
    case '/metadata/labels':
      return 'the label lifehook.dev/gated';
    case '/metadata/annotations':
      return `the annotations ${oursIn(value)}`;
    default:
      return `${path.slice(1).replaceAll('/', '.')}: ${JSON.stringify(value)}`;
  }
}

function oursIn(value: PatchOperation['value']): string {
  const annotations = value as Readonly<Record<string, string>>;
  const ours = [ROLLOUT, RELEASED, WANTED_REPLICAS].map((name) => {
    const text = annotations[name];
    return text === undefined ? `no ${name}` : `${name}=${text}`;
  });
  return ours.join(' ');
}
