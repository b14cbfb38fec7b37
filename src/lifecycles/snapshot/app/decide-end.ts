/** Decides the end of a failed or deleted snapshot: thaw first, then delete what was created. Pure. */
import { finalizerStep, isTerminating } from '../../../controller/finalizers.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { countText } from '../../../model/count-text.ts';
import type { ApplicationSnapshot, ExecutionHook, Verdict } from '../kinds.ts';
import { EVIDENCE_FINALIZER, SNAPSHOT_FINALIZER } from '../names.ts';
import type { SnapshotFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import { marksDue } from './late-cuts.ts';
import { isOwnedBy } from './made-objects.ts';
import type { Step } from './step.ts';
import { isSettled, nextThaw } from './thaw-order.ts';
import { admittedMarksDue, ownMarksDue } from './window-marks.ts';

export function decideFailed(facts: SnapshotFacts, { reason }: Failure): Step {
  const { completedAt } = facts.snapshot.status ?? {};
  const thaw = thawStep(facts);
  if (thaw?.kind === 'deleteHook') return thaw;
  const after: Step =
    completedAt === undefined
      ? (decideEvidence(facts) ?? thaw ?? decideFailureOver(facts))
      : releaseOver(facts.snapshot, 'it has failed');
  // The wait for a requested thaw delays the deletion of snapshots, but not the recording of evidence.
  return thaw === null ? takeBack(facts, reason, after) : after;
}

function decideFailureOver({ snapshot }: SnapshotFacts): Step {
  const { hooks = [], executionHookNames = [] } = snapshot.status ?? {};
  const missing = executionHookNames.length - hooks.length;
  return missing > 0
    ? { kind: 'wait', reason: `${countText(missing, 'hook')} must still thaw` }
    : { kind: 'finishFailure' };
}

/**
 * Decides the last step of a snapshot that is over (SNAP-S10). Nothing has to be undone then, so a user can delete the
 * snapshot while no controller runs.
 */
export function releaseOver(snapshot: ApplicationSnapshot, reason: string): Step {
  const isHeld = finalizerStep(snapshot, SNAPSHOT_FINALIZER) === 'work';
  return isHeld ? { kind: 'removeFinalizer' } : { kind: 'wait', reason };
}

/**
 * A completed or fully failed snapshot only loses its finalizer: the garbage collector deletes the objects that it
 * owns.
 */
export function decideEnd(facts: SnapshotFacts): Step {
  const { snapshot } = facts;
  if (finalizerStep(snapshot, SNAPSHOT_FINALIZER) === 'gone') {
    return { kind: 'wait', reason: 'other controllers must remove their finalizers' };
  }
  const { completedAt, failure } = snapshot.status ?? {};
  if (completedAt !== undefined) return { kind: 'removeFinalizer' };
  const after: Step = hooksDeleted(facts) ?? { kind: 'removeFinalizer' };
  return thawStep(facts) ?? takeBack(facts, failure?.reason ?? 'Deleted', after);
}

/** Without a cut, the thaw is requested by deleting the hook (SNAP-R13). null: every thaw is requested already. */
function thawStep({ hooks, nowMs, snapshot }: SnapshotFacts): Step | null {
  const thaw = nextThaw({ hooks, nowMs, failedAt: snapshot.status?.failure?.at });
  switch (thaw.kind) {
    case 'release':
      return { kind: 'deleteHook', hook: thaw.hook };
    case 'wait':
      return { kind: 'waitFor', ms: thaw.ms, reason: thaw.reason };
    case 'asked':
      return null;
    default:
      return thaw satisfies never;
  }
}

/**
 * The next step of the deletion of the snapshot's hooks. null: every thaw has an outcome, and no hook has our evidence
 * finalizer.
 */
function hooksDeleted({ hooks }: SnapshotFacts): Step | null {
  for (const { name, hook } of hooks) {
    if (hook === null) continue;
    if (!isSettled(hook)) return { kind: 'wait', reason: `hook ${name} thaws` };
    if (hook.metadata?.finalizers?.includes(EVIDENCE_FINALIZER) === true) {
      return { kind: 'finishHook', hook, delete: false };
    }
  }
  return null;
}

/**
 * Writes the marks before it deletes the snapshots: a content that is kept, or cut late, must not look consistent. A
 * mark that the server refuses, or that another client keeps changing, delays nothing. `after`: the step when all of
 * this is done.
 */
function takeBack(facts: SnapshotFacts, reason: string, after: Step): Step {
  const { snapshot } = facts;
  if (snapshot.spec.window !== undefined) {
    const step = decideMarks(facts, failureOf(facts, reason)) ?? after;
    return step.kind === 'markVerdicts' ? { ...step, otherwise: after } : step;
  }
  const otherwise = deletionDue(facts) ?? after;
  const marks = marksDue(facts, reason);
  return marks.length > 0 ? { kind: 'mark', marks, otherwise } : otherwise;
}

function deletionDue({ snapshot, group, volumes }: SnapshotFacts): Step | null {
  const isOurs = (each: KubeObject): boolean => !isTerminating(each) && isOwnedBy(each, snapshot);
  const snapshots = volumes.flatMap((volume) => volume.snapshot ?? []).filter(isOurs);
  const groups = [group?.snapshot ?? []].flat().filter(isOurs);
  if (snapshots.length + groups.length === 0) return null;
  return { kind: 'deleteSnapshots', snapshots, groups };
}

function failureOf({ snapshot }: SnapshotFacts, reason: string): Failure {
  const message = snapshot.status?.failure?.message ?? 'its window was deleted while it was open';
  return { reason, message };
}

/** null: there is no evidence to store now, and no hook to release. */
export function decideEvidence({ hooks, snapshot }: SnapshotFacts): Step | null {
  const kept = new Set((snapshot.status?.hooks ?? []).map(({ name }) => name));
  const names = hooks
    .filter(({ name, hook }) => !kept.has(name) && (hook === null || isSettled(hook)))
    .map(({ name }) => name);
  if (names.length > 0) return { kind: 'keepEvidence', names };
  const held = hooks.find(({ name, hook }) => kept.has(name) && hasEvidence(hook));
  if (held?.hook === undefined || held.hook === null) return null;
  return { kind: 'finishHook', hook: held.hook, delete: isClean(held.hook) };
}

function hasEvidence(hook: ExecutionHook | null): boolean {
  return hook?.metadata?.finalizers?.includes(EVIDENCE_FINALIZER) === true;
}

/** SNAP-R20: a hook whose preAction or postAction has failed stays, for a user to inspect. */
function isClean({ status = {} }: ExecutionHook): boolean {
  return status.preActionSucceed === true && status.postActionSucceed === true;
}

/**
 * Decides the step after the close of a window, once every thaw is requested and all evidence is stored. It waits for
 * no snapshot to be ready to use: one that never gets ready would delay the verdicts of the others (SNAP-W3).
 */
export function decideWindowReady({ snapshot }: SnapshotFacts): Step {
  const { hooks = [], executionHookNames = [] } = snapshot.status ?? {};
  if (hooks.length < executionHookNames.length) return { kind: 'wait', reason: 'the hooks thaw' };
  return { kind: 'judgeWindow' };
}

/**
 * Decides to write the verdicts of the admitted snapshots. `failure`: the reason for snapshots without a verdict; null:
 * the window has completed. Returns null if no mark is missing.
 */
export function decideMarks(facts: SnapshotFacts, failure: Failure | null): Step | null {
  const unjudged = facts.admitted.some(({ entry }) => entry.verdict === undefined);
  if (failure !== null && unjudged) return { kind: 'failAdmitted', ...failure };
  const marks = admittedMarksDue(facts);
  return marks.length === 0 ? null : { kind: 'markVerdicts', marks };
}

/** null: the snapshot has no verdict, or the objects that it created already have the marks. */
export function decideOwnMarks(facts: SnapshotFacts, verdict: Verdict | undefined): Step | null {
  const marks = verdict === undefined ? [] : ownMarksDue(facts, verdict);
  return marks.length === 0 ? null : { kind: 'markVerdicts', marks };
}
