/**
 * Decides the outcome and the verdict of each object that a window admitted (SNAP-W3). Pure.
 *
 * The outcome depends on the observations until the window closed. The verdict is decided after the thaw. It depends on
 * that outcome, on the common freeze, and on the object and the use of its volumes then. It never changes.
 */
import { isTerminating } from '../../../controller/finalizers.ts';
import type {
  VerdictValue,
  ApplicationSnapshot,
  SnapshotVolume,
  AdmittedObject,
  AdmittedOutcome,
  AdmittedVerdict,
} from '../kinds.ts';
import { type AdmittedFacts, APPEARS_WITHIN_MS } from './admitted-facts.ts';
import { atomicity, handlesOf, isCutIn, stateOf } from './cut.ts';
import { handleOf } from './facts.ts';
import type { Failure } from './failure.ts';
import { judge } from './verdict.ts';
import { partsOf } from '../../../kube/snapshots.ts';
import { cutToBytes } from '../../../kube/stored-size.ts';

/** Maximum bytes of the message of a verdict as stored: the status of one window has many verdicts. */
const MESSAGE_BYTES_MAX = 512;

/** Returns the admitted objects with their verdicts. Call after the thaw. */
export function judgeAdmitted(
  window: ApplicationSnapshot,
  admitted: readonly AdmittedFacts[],
  decidedAt: string,
): AdmittedObject[] {
  return admitted.map((facts) => {
    const { entry } = facts;
    if (entry.verdict !== undefined) return entry;
    return { ...entry, verdict: shorter(verdictOf(window, facts, decidedAt)) };
  });
}

/** The objects after a failure of the window: every object without a verdict becomes Inconsistent. */
export function failAdmitted(
  admitted: readonly AdmittedObject[],
  { reason, message }: Failure,
): AdmittedObject[] {
  return admitted.map((entry) => {
    const verdict = { value: 'Inconsistent', reason, message } as const;
    return entry.verdict === undefined ? { ...entry, verdict: shorter(verdict) } : entry;
  });
}

function verdictOf(
  { status = {} }: ApplicationSnapshot,
  facts: AdmittedFacts,
  decidedAt: string,
): AdmittedVerdict {
  const { entry, object, content } = facts;
  const { outcome = 'NotCut' } = entry;
  if (outcome !== 'Cut') return { value: 'Inconsistent', ...WORTHLESS[outcome] };
  const isDeleted = object === null || isTerminating(object);
  if (isDeleted && !isRetained(content)) {
    const message = `the ${entry.kind} was deleted before its verdict`;
    return { value: 'Inconsistent', reason: 'SnapshotDeleted', message };
  }
  const volumes = volumesOf(facts, status.volumes ?? []).map((volume) => seenVolume(volume, facts));
  const mode = facts.kind === 'group' ? 'Group' : 'Single';
  const { value, reason, message } = judge({ status: { ...status, volumes }, mode, decidedAt });
  return { value, reason, message };
}

/** Whether the content outlives its snapshot: a backup tool that restores from the content needs that. */
function isRetained(content: AdmittedFacts['content']): boolean {
  return content !== null && !isTerminating(content) && content.spec.deletionPolicy === 'Retain';
}

const WORTHLESS: Readonly<Record<Exclude<AdmittedOutcome, 'Cut'>, Failure>> = {
  NotCut: {
    reason: 'ThawedBeforeCut',
    message: 'it was not cut before the cut deadline, and the application was thawed',
  },
  NotCreated: {
    reason: 'ThawedBeforeCut',
    message: `it did not exist ${APPEARS_WITHIN_MS / 1_000} s after its admission, and the application was thawed`,
  },
  Deleted: { reason: 'SnapshotDeleted', message: 'it was deleted before it was cut' },
  WrongVolume: {
    reason: 'WrongVolume',
    message: 'it is of a volume that was not part of the freeze',
  },
};

function seenVolume(volume: SnapshotVolume, facts: AdmittedFacts): SnapshotVolume {
  if (facts.kind === 'single') {
    return { ...volume, cut: true, ...atomicity(facts.content ?? facts.object) };
  }
  const { content } = facts;
  const cut = content !== null && handlesOf(content).includes(handleOf(volume));
  return { ...volume, cut, ...atomicity(content) };
}

/** The verdict, with a message that leaves space in the status for the other verdicts. */
export function shorter(verdict: AdmittedVerdict): AdmittedVerdict {
  const limit = { bytesMax: MESSAGE_BYTES_MAX, keep: 'start' } as const;
  return { ...verdict, message: cutToBytes(verdict.message, limit) };
}

const WORST_FIRST: readonly VerdictValue[] = ['Inconsistent', 'Unknown', 'CrashConsistent'];

/** The verdict of the window: the worst of its objects. */
export function worstOf(admitted: readonly AdmittedObject[]): AdmittedVerdict {
  const verdicts = admitted.flatMap(({ verdict }) => verdict ?? []);
  for (const value of WORST_FIRST) {
    const found = verdicts.filter((each) => each.value === value);
    const [first] = found;
    if (first === undefined) continue;
    const others =
      verdicts.length === 1 ? '' : ` (${found.length} of ${verdicts.length} snapshots)`;
    return { ...first, message: `${first.message}${others}` };
  }
  const what = verdicts.length === 1 ? '1 snapshot was' : `${verdicts.length} snapshots were`;
  const message = `${what} cut while the application was frozen`;
  return { value: 'ApplicationConsistent', reason: 'FrozenAtCut', message };
}

type Settled =
  | { readonly kind: 'settled'; readonly outcome: AdmittedOutcome }
  | { readonly kind: 'pending'; readonly message: string };

/** Determines the outcome of one admitted object. `volumes`: the volumes in the window's plan. */
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

/**
 * Whether a group is not ready to use, and has not listed its parts yet. Its verdict needs that list, and cannot wait
 * for it once the window has closed.
 */
function isUnlisted(facts: AdmittedFacts): boolean {
  if (facts.kind === 'single' || facts.content === null) return false;
  return partsOf(facts.content) === undefined && facts.object?.status?.readyToUse !== true;
}

/**
 * Whether every cut volume was planned, as far as its handle is known. Another claim of the same name may have replaced
 * a claim since the plan. The volume of the new claim was not frozen.
 */
function isOfPlanned(facts: AdmittedFacts, volumes: readonly SnapshotVolume[]): boolean {
  const planned = volumesOf(facts, volumes).map(handleOf);
  if (facts.kind === 'single') {
    const handle = facts.content?.spec.source.volumeHandle;
    return handle === undefined || planned.includes(handle);
  }
  const cut = facts.content === null ? [] : handlesOf(facts.content);
  return cut.every((handle) => handle === undefined || planned.includes(handle));
}

function volumesOf(
  { entry }: AdmittedFacts,
  volumes: readonly SnapshotVolume[],
): readonly SnapshotVolume[] {
  return volumes.filter(({ claimName }) => entry.claimNames.includes(claimName));
}
