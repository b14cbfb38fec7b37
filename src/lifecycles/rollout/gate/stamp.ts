/**
 * The stamp on a write to a Deployment. Pure and idempotent: a second call after other webhooks leaves its result
 * unchanged (`reinvocationPolicy: IfNeeded`).
 *
 *  ROLL-G1 A template that differs from the stored one is stored paused, with the next number. The number is computed
 *     from the stored object alone. Neither a manifest nor `kubectl rollout undo`, which restores the annotations of
 *     an old ReplicaSet, can decrease it.
 *  ROLL-G2 Label, numbers and a valid wanted count stay those of the stored object, even if the request omits them.
 *  ROLL-G3 A gated Deployment stays paused.
 *  ROLL-G4 A gated Deployment without an active ReplicaSet stays at 0 replicas: after a scale-up the Deployment
 *     controller would revive any revision, paused or not (ROLL-E8, ROLL-E15). The requested count is kept for the
 *     release.
 *  ROLL-G5 A write of the controller with a valid proof is stored unchanged. An invalid proof is not stored, so that
 *     a write of the controller which another webhook has undone changes nothing.
 *
 * Worked examples, stored -> request -> stored (r rollout, l released, p paused, n replicas, w wanted):
 *
 *     (none)          -> create n3                -> r1 l0 p n3
 *     r4 l4 n3        -> new template             -> r5 l4 p n3
 *     r5 l4 p n3      -> another template, no p   -> r6 l4 p n3        a new rollout during a hook
 *     r5 l4 p n3      -> no p, no annotations     -> r5 l4 p n3        `kubectl replace`, ROLL-E22
 *     r5 l4 p n0 w3   -> n7                       -> r5 l4 p n0 w7     an HPA during mid, ROLL-E13
 *     r5 l4 p n0 w3   -> n0 (as it was read)      -> r5 l4 p n0 w3
 *     r5 l4 p n0 w3   -> w9 by hand               -> r5 l4 p n0 w9     a user sets another count
 *     r5 l4 p n3 w3   -> n0                       -> r5 l4 p n0 w0     the hold is recorded, and its 0 not set yet
 *     r4 l4 n0        -> new template, n5         -> r5 l4 p n0 w5     ROLL-E15
 *     r4 l4 n3        -> n5, or a label           -> r4 l4 n5          nothing is rolled out, ROLL-C24
 *     r4 l4 n3 w5     -> new template             -> r5 l4 p n3        a wanted count is outdated where nothing is held
 *     r4 l4 n0        -> undo, with an old w3     -> r5 l4 p n0 w0     the same
 *     not stamped     -> new template             -> r2 l1 p           the template before the lifecycle is 1
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { GATED, ROLLOUT, WANTED_REPLICAS, WRITE_PROOF } from '../names.ts';
import { templateDigest } from '../template-digest.ts';
import { type GatedFields, type PatchOperation, patchTo } from './gated-fields.ts';
import { countIn, type GateState, gateStateOf } from './gate-state.ts';

export interface GateInput {
  readonly object: Deployment;
  /** The stored Deployment; null: the write creates one. */
  readonly old: Deployment | null;
  /** True: the write has the controller's proof for the object that it replaces. */
  readonly isProven: boolean;
  /**
   * True: a DeploymentLifecycle with `gate: Admission` names the Deployment. null: not known, because the lifecycles
   * could not be read.
   */
  readonly isNamed: boolean | null;
}

export interface Stamp {
  /** Empty: the write is stored unchanged. */
  readonly patch: readonly PatchOperation[];
  readonly warnings: readonly string[];
}

const AS_IT_IS: Stamp = { patch: [], warnings: [] };

export function stamp(input: GateInput): Stamp {
  const { object, old } = input;
  if (old === null) return stampNew(input);
  if (input.isProven || !isConcerned(input, old)) return AS_IT_IS;
  const was = gateStateOf(old);
  const changed = templateDigest(old.spec?.template) !== templateDigest(object.spec?.template);
  const next = changed ? nextNumbers(was) : { rollout: was.rollout, released: was.released };
  const update: Update = { object, old, was, next, changed, gated: changed || was.gated };
  const { replicas, wanted, warnings } = holdReplicas(update);
  const fields: GatedFields = {
    label: labelOf(object) ?? labelOf(old),
    rollout: textOf(next.rollout),
    released: textOf(next.released),
    wanted,
    proof: proofAfter(update),
    paused: update.gated || pausedAtRest(update),
    replicas,
  };
  return {
    patch: patchTo(object, fields),
    warnings: [...labelWarning(update), ...pausedWarning(update), ...warnings],
  };
}

function stampNew({ object, isNamed }: GateInput): Stamp {
  const label = labelOf(object);
  if (label === undefined && isNamed !== true) return AS_IT_IS;
  const { replicas } = object.spec ?? {};
  const first = { rollout: '1', released: '0', wanted: undefined, proof: undefined };
  return {
    patch: patchTo(object, { label: label ?? '', ...first, paused: true, replicas }),
    warnings: [],
  };
}

/**
 * True: the old or the new object has the label (ROLL-E18). The label may be removed if no lifecycle names the
 * Deployment and no rollout is open.
 */
function isConcerned({ object, isNamed }: GateInput, old: Deployment): boolean {
  const was = gateStateOf(old);
  if (gateStateOf(object).labelled) return true;
  return was.labelled && (was.gated || isNamed !== false);
}

interface Numbers {
  readonly rollout: number | null;
  readonly released: number | null;
}

interface Update {
  readonly object: Deployment;
  readonly old: Deployment;
  readonly was: GateState;
  readonly next: Numbers;
  /** True: the template changed. */
  readonly changed: boolean;
  /** True: the Deployment is gated after this write. */
  readonly gated: boolean;
}

/**
 * The numbers of a changed template. A template that was never stamped already runs, so it is number 1. With `released:
 * 0` the drain would assume that no pods exist.
 */
export function nextNumbers({ rollout, released }: Numbers): Numbers {
  if (rollout === null) return { rollout: 2, released: 1 };
  return { rollout: rollout + 1, released };
}

/** The value of `paused` if no rollout is open: it is the choice of the user. */
function pausedAtRest(update: Update): boolean {
  const { object, old } = update;
  return (isUndone(update) ? old : object).spec?.paused === true;
}

/** True: another webhook restored the template after the gate's first call, which had seen a change. */
function isUndone({ object, was, changed }: Update): boolean {
  return !changed && countIn(annotation(object, ROLLOUT)) === nextNumbers(was).rollout;
}

/**
 * The proof of the earlier write, which stays; undefined while the Deployment is scaled past its hold: otherwise
 * `isScaledToZero` would take this result for a client's request.
 */
function proofAfter(update: Update): string | undefined {
  return isScaledPastHold(update) ? undefined : annotation(update.old, WRITE_PROOF);
}

interface Hold {
  readonly replicas: number | undefined;
  readonly wanted: string | undefined;
  readonly warnings: readonly string[];
}

function holdReplicas(update: Update): Hold {
  const { object, old, next, gated } = update;
  const asked = object.spec?.replicas;
  if (gated && (old.spec?.replicas === 0 || isScaledPastHold(update)))
    return hold(countsInForce(update), next);
  const said = countIn(annotation(object, WANTED_REPLICAS));
  const replicas = isUndone(update) ? (said ?? asked) : asked;
  const wanted = gated ? undefined : annotation(old, WANTED_REPLICAS);
  return { replicas, wanted, warnings: [] };
}

/**
 * The replica counts of the request and of the stored object. The annotation of an object that is not held yet is
 * ignored: a user may have written it, or `kubectl rollout undo` may have copied it from an old ReplicaSet. If a client
 * scales to 0 later, both annotations are ignored.
 */
function countsInForce(update: Update): Wanted {
  const { object, old, was, next } = update;
  if (isScaledToZero(update)) return { asked: 0, said: null, kept: null };
  const isHeld = was.gated || countIn(annotation(object, ROLLOUT)) === next.rollout;
  const said = isHeld ? countIn(annotation(object, WANTED_REPLICAS)) : null;
  const kept = was.gated ? was.wantedReplicas : null;
  const asked = object.spec?.replicas;
  const isOnlySaid = asked === old.spec?.replicas && said !== null && said !== kept;
  return { asked: isOnlySaid ? 0 : asked, said, kept };
}

/**
 * True: the Deployment has replicas and a wanted count. Either the controller is about to scale it to 0, or a client
 * has scaled it up. A wanted count without the label is ignored: a deleted lifecycle left the Deployment paused, and a
 * user has resumed it. A wanted count between two rollouts is a user's.
 */
function isScaledPastHold({ old, was: { labelled, gated, wantedReplicas } }: Update): boolean {
  return old.spec?.replicas !== 0 && labelled && gated && wantedReplicas !== null;
}

/**
 * True: a client, and not the controller, scales to 0 a Deployment that has replicas and a wanted count. A manifest is
 * recognised because it has no annotations of Lifehook and does not pause. A patch is recognised because it keeps the
 * proof of an earlier write; the controller's own write has a new proof, or none if another webhook removed it. The
 * gate's first call also leaves no proof.
 */
function isScaledToZero(update: Update): boolean {
  const { object, old } = update;
  if (object.spec?.replicas !== 0 || !isScaledPastHold(update)) return false;
  const said = annotation(object, WANTED_REPLICAS);
  if (said === undefined) return object.spec.paused !== true;
  const proof = annotation(object, WRITE_PROOF);
  const isKept = proof !== undefined && proof === annotation(old, WRITE_PROOF);
  return isKept && said === annotation(old, WANTED_REPLICAS);
}

interface Wanted {
  /** `spec.replicas` of the request; 0: the request repeats or sets 0, or changes only the annotation. */
  readonly asked: number | undefined;
  /** The annotation in the request, set by a user or by the gate's first call; null: absent, outdated or no count. */
  readonly said: number | null;
  /** The annotation in the stored object; null: absent, outdated or no count. */
  readonly kept: number | null;
}

function hold({ asked = 1, said, kept }: Wanted, { rollout }: Numbers): Hold {
  if (asked === 0) return { replicas: 0, wanted: String(said ?? kept ?? 0), warnings: [] };
  const until = `until rollout ${rollout ?? '?'} is released`;
  const warning = `spec.replicas is held at 0 ${until}, and will be ${asked} then`;
  return { replicas: 0, wanted: String(asked), warnings: [warning] };
}

function labelWarning({ object, was }: Update): string[] {
  if (!was.labelled || gateStateOf(object).labelled) return [];
  return [
    `the label ${GATED} is kept: to remove it, delete the DeploymentLifecycle of this Deployment`,
  ];
}

function pausedWarning({ object, old, was, changed }: Update): string[] {
  const cleared = old.spec?.paused === true && object.spec?.paused !== true;
  if (changed || !was.gated || !cleared) return [];
  return [
    `spec.paused stays true until rollout ${was.rollout ?? '?'} is released: its hooks run before its pods`,
  ];
}

function labelOf({ metadata }: Deployment): string | undefined {
  return metadata?.labels?.[GATED];
}

function annotation({ metadata }: Deployment, name: string): string | undefined {
  return metadata?.annotations?.[name];
}

function textOf(number: number | null): string | undefined {
  return number === null ? undefined : String(number);
}
