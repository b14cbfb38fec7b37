/**
 * The known facts about an admitted object while its window is open: only those observed by then count (SNAP-W3).
 * Pure.
 */
import { partsOf } from '../../../kube/snapshots.ts';
import type { AdmittedOutcome } from '../guard-kinds.ts';
import type { SnapshotVolume } from '../kinds.ts';
import type { AdmittedFacts } from './admitted-facts.ts';
import { handlesOf, isCutIn, stateOf } from './cut.ts';
import { handleOf } from './facts.ts';

export type Settled =
  | { readonly kind: 'settled'; readonly outcome: AdmittedOutcome }
  | { readonly kind: 'pending'; readonly message: string };

/** `volumes`: those of the window's plan. */
export function settledOf(facts: AdmittedFacts, volumes: readonly SnapshotVolume[]): Settled {
  const { entry, object, content, isMissing } = facts;
  const what = `${entry.kind} ${entry.name}`;
  // The content shows the cut also after the object was deleted.
  if (content !== null && isCutIn(content, entry.cutSignal)) {
    if (isUnlisted(facts))
      return { kind: 'pending', message: `${what} does not list its volumes yet` };
    return settled(isOfPlanned(facts, volumes) ? 'Cut' : 'WrongVolume');
  }
  if (isMissing) return settled('NotCreated');
  if (object === null) return { kind: 'pending', message: `${what} has not appeared yet` };
  const state = stateOf({ what, uid: entry.uid, signal: entry.cutSignal, object, content });
  return state?.kind === 'waiting'
    ? { kind: 'pending', message: state.message }
    : settled('Deleted');
}

function settled(outcome: AdmittedOutcome): Settled {
  return { kind: 'settled', outcome };
}

/** The verdict of a group needs the list of its parts, and does not wait for it after the close. */
function isUnlisted(facts: AdmittedFacts): boolean {
  if (facts.kind === 'single' || facts.content === null) return false;
  return partsOf(facts.content) === undefined && facts.object?.status?.readyToUse !== true;
}

/** A claim may have been replaced by another of its name since the plan: its volume was not frozen. */
function isOfPlanned(facts: AdmittedFacts, volumes: readonly SnapshotVolume[]): boolean {
  const planned = volumesOf(facts, volumes).map(handleOf);
  if (facts.kind === 'single') {
    const handle = facts.content?.spec.source.volumeHandle;
    return handle === undefined || planned.includes(handle);
  }
  const cut = facts.content === null ? [] : handlesOf(facts.content);
  return cut.every((handle) => handle === undefined || planned.includes(handle));
}

export function volumesOf(
  { entry }: AdmittedFacts,
  volumes: readonly SnapshotVolume[],
): readonly SnapshotVolume[] {
  return volumes.filter(({ claimName }) => entry.claimNames.includes(claimName));
}
