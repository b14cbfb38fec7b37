/**
 * The validating twin: what is refused. Pure, over what was looked up. It is the last word after all webhooks
 * that change objects, so it asks for what `stamp` would have made, and nothing less.
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
import { RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';
import { checkAgainstDeployment } from '../schema/check-against-deployment.ts';
import { validateLifecycle } from '../schema/validate.ts';
import { gateStateOf } from './gate-state.ts';
import type { PatchOperation } from './gated-fields.ts';
import { type GateInput, stamp } from './stamp.ts';

/** With 403: clients take a 409 for a reason to try again, for ever (ROLL-E26). */
const FORBIDDEN = { code: 403, reason: 'Forbidden' };

/** Whether the write may be stored as it has come out of all webhooks. */
export function judgeDeployment(input: GateInput): Verdict {
  const { patch } = stamp(input);
  if (patch.length === 0) return ALLOWED;
  const wanted = patch.map(told).join(', ');
  const message =
    `Lifehook's gate keeps this Deployment, and this write does not have what it wants: ${wanted}. ` +
    'Either another admission webhook changed that after Lifehook, or Lifehook is missing from the ' +
    'mutating webhooks: `lifehook rollout check` tells which.';
  return { allowed: false, status: { ...FORBIDDEN, message } };
}

export interface ScaleInput {
  /** Of the Scale object. */
  readonly replicas: number;
  /** What the Scale is of; null: there is none, or nobody knows. */
  readonly deployment: Deployment | null;
}

/**
 * While nothing of it may run, a scale subresource cannot be stamped: it is refused (ROLL-C15, ROLL-E26). Down to
 * zero is no matter.
 */
export function judgeScale({ replicas, deployment }: ScaleInput): Verdict {
  if (deployment === null || replicas === 0) return ALLOWED;
  const { labelled, held, rollout, wantedReplicas } = gateStateOf(deployment);
  if (!labelled || !held) return ALLOWED;
  const name = deployment.metadata?.name ?? '';
  const message =
    `deployments.apps "${name}" is held at 0 replicas until rollout ${rollout ?? '?'} is released, ` +
    `and gets ${wantedReplicas ?? 0} then. For another number: ` +
    `kubectl annotate deployment ${name} --overwrite ${WANTED_REPLICAS}=${replicas}`;
  return { allowed: false, status: { ...FORBIDDEN, message } };
}

/** What a lifecycle is judged beside. */
export interface BesideLifecycle {
  /** The one that it names; null: there is none, or nobody knows. */
  readonly deployment: Deployment | null;
  /** The lifecycle that keeps it: the oldest one of those that name it; null: nobody knows. */
  readonly keeper: DeploymentLifecycle | null;
}

/** Only then is something said of the Deployment that another lifecycle may keep. */
export function mattersWhoKeeps({ object, oldObject = null }: AdmissionRequest): boolean {
  if (object === null || oldObject === null) return true;
  return isSetToRelease(oldObject as unknown as DeploymentLifecycle, object as never);
}

/** ROLL-C9, ROLL-C25. A deletion is warned of, and never refused. */
export function judgeLifecycle(request: AdmissionRequest, beside: BesideLifecycle): Verdict {
  const { object, oldObject = null } = request;
  const { deployment } = beside;
  if (object === null) {
    return { allowed: true, warnings: deletionWarnings(oldObject, beside) };
  }
  const found = validateLifecycle(oldObject === null ? { object } : { object, before: oldObject });
  if (found.errors.length > 0 || deployment === null) return findingsVerdict(request, found);
  const lifecycle = object as unknown as DeploymentLifecycle;
  const before = oldObject as unknown as DeploymentLifecycle | null;
  // What is wrong with the hooks since the template changed stops no other change, nor a finalizer from coming off.
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

/** Of what is held now; nothing else changes by a deletion, and nothing at all by that of one that keeps nothing. */
function deletionWarnings(
  object: JsonObject | null,
  { deployment, keeper }: BesideLifecycle,
): string[] {
  if (object === null || deployment === null) return [];
  const lifecycle = object as unknown as DeploymentLifecycle;
  if (isRival(lifecycle, keeper)) return [];
  const facts = { lifecycle, deployment, sets: [] };
  if (atDeletion(facts).kind === 'nothingHeld') return [];
  return [`when this DeploymentLifecycle is deleted, ${whatFollows(facts)}`];
}

function rivalWarnings(lifecycle: DeploymentLifecycle, { keeper }: BesideLifecycle): string[] {
  // One that is being deleted makes room.
  if (!isRival(lifecycle, keeper) || keeper?.metadata?.deletionTimestamp !== undefined) return [];
  const { name } = keeper?.metadata ?? {};
  return [
    `the DeploymentLifecycle ${JSON.stringify(name)} is older and names the same Deployment: no hook of this one runs as long as that one exists`,
  ];
}

/** Another one keeps the Deployment. */
function isRival({ metadata }: DeploymentLifecycle, keeper: DeploymentLifecycle | null): boolean {
  return keeper !== null && keeper.metadata?.name !== metadata?.name;
}

function told({ path, value }: PatchOperation): string {
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
