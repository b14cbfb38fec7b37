/** Decides the end of a failed or deleted snapshot: thaw first, then delete what was created. Pure. */
import { finalizerStep, isTerminating } from '../../../controller/finalizers.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { EVIDENCE_FINALIZER, SNAPSHOT_FINALIZER } from '../names.ts';
import { decideEvidence } from './decide-evidence.ts';
import { decideMarks } from './decide-window-end.ts';
import type { SnapshotFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import { marksDue } from './late-cuts.ts';
import { isOwnedBy } from './made-objects.ts';
import type { Step } from './step.ts';
import { isSettled, nextThaw } from './thaw-order.ts';

export function decideFailed(facts: SnapshotFacts, { reason }: Failure): Step {
  const { completedAt } = facts.snapshot.status ?? {};
  const thaw = thawStep(facts);
  if (thaw?.kind === 'deleteHook') return thaw;
  // The wait for a requested thaw delays the deletion of snapshots, but not the recording of evidence.
  const next = thaw === null ? takeBack(facts, reason) : null;
  if (next !== null) return next;
  if (completedAt !== undefined) return { kind: 'wait', reason: 'it has failed' };
  return decideEvidence(facts) ?? thaw ?? decideFailureOver(facts);
}

function decideFailureOver({ snapshot }: SnapshotFacts): Step {
  const { hooks = [], executionHookNames = [] } = snapshot.status ?? {};
  const missing = executionHookNames.length - hooks.length;
  return missing > 0
    ? { kind: 'wait', reason: `${missing} hooks thaw` }
    : { kind: 'finishFailure' };
}

/** A completed or fully failed snapshot holds nothing: the garbage collector deletes the objects that it owns. */
export function decideEnd(facts: SnapshotFacts): Step {
  const { snapshot } = facts;
  if (finalizerStep(snapshot, SNAPSHOT_FINALIZER) === 'gone') {
    return { kind: 'wait', reason: 'others have to let it go' };
  }
  const { completedAt, failure } = snapshot.status ?? {};
  if (completedAt !== undefined) return { kind: 'removeFinalizer' };
  return (
    thawStep(facts) ??
    takeBack(facts, failure?.reason ?? 'Deleted') ??
    hooksDeleted(facts) ?? { kind: 'removeFinalizer' }
  );
}

/** Without a cut, deleting the hook requests the thaw (SNAP-R13); null: every thaw was requested. */
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

/** null: no hook is frozen, and none has our evidence finalizer. */
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

/** Marks come first: a content that is kept, or cut late, must not look consistent. */
function takeBack(facts: SnapshotFacts, reason: string): Step | null {
  const { snapshot, group, volumes } = facts;
  if (snapshot.spec.window !== undefined) return decideMarks(facts, failureOf(facts, reason));
  const marks = marksDue(facts, reason);
  if (marks.length > 0) return { kind: 'mark', marks };
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
