/**
 * Determines whether the volumes are cut (SNAP-R33). Pure.
 *
 *  - A cut is a creationTime in the status of the snapshot's content. The CSI sidecar writes it as soon as the driver
 *    has answered. The common controller copies it to the VolumeSnapshot later; for a group, this takes
 *    seconds. A frozen application does not wait for that copy. `content-of.ts` finds the content.
 *  - `status.error` does not count: it may appear next to a cut, and without a cut it means "not yet" (the snapshotter
 *    retries for ever).
 *  - If the snapshot or its class asks for the signal readyToUse, only the readyToUse of the content counts.
 *  - For a group the cut of the group counts; its members are created after that.
 */
import { isTerminating } from '../../../controller/finalizers.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import {
  ATOMIC,
  ATOMIC_REASON,
  partsOf,
  type SnapshotError,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { cutToBytes } from '../../../kube/stored-size.ts';
import type { CutSignal, SnapshotVolume } from '../kinds.ts';
import { type GroupFacts, handleOf, type SnapshotFacts, type VolumeFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import { identify } from './identify.ts';

export type CutState =
  | { readonly kind: 'waiting'; readonly message: string }
  /** All volumes are cut. `volumes` has the known state of their snapshots. */
  | { readonly kind: 'cut'; readonly volumes: readonly SnapshotVolume[] }
  /** The cut can no longer happen. */
  | ({ readonly kind: 'broken' } & Failure);

export function cutStateOf(facts: SnapshotFacts): CutState {
  const { group, volumes } = facts;
  const states = group === null ? volumes.map(singleState) : [groupState(group, facts)];
  const messages: string[] = [];
  for (const state of states) {
    if (state?.kind === 'broken') return state;
    if (state !== null) messages.push(state.message);
  }
  if (messages.length > 0) return { kind: 'waiting', message: messages.join('; ') };
  return { kind: 'cut', volumes: observeVolumes(facts) };
}

/** The current state of the snapshots; values that were seen once are kept. */
export function observeVolumes({ volumes, group }: SnapshotFacts): SnapshotVolume[] {
  return volumes.map((volume) =>
    group === null ? observeSingle(volume) : observeMember(volume, group),
  );
}

/** The reason why a volume is not cut; null: it is cut. */
export type State = Exclude<CutState, { kind: 'cut' }> | null;

function singleState({ plan, snapshot, content }: VolumeFacts): State {
  const what = `VolumeSnapshot ${plan.volumeSnapshotName ?? ''}`;
  const uid = plan.volumeSnapshotUID;
  const state = stateOf({ what, uid, signal: plan.cutSignal, object: snapshot, content });
  const source = content?.spec.source.volumeHandle;
  if (state !== null || source === undefined || source === handleOf(plan)) return state;
  const message = `${what} is a snapshot of volume ${source}, not of ${handleOf(plan)}`;
  return { kind: 'broken', reason: 'WrongVolume', message };
}

function groupState(
  { snapshot: object, content }: GroupFacts,
  { volumes, snapshot: owner }: SnapshotFacts,
): State {
  const { volumeGroupSnapshotName = '', volumeGroupSnapshotUID: uid } = owner.status ?? {};
  const what = `VolumeGroupSnapshot ${volumeGroupSnapshotName}`;
  const signal = volumes[0]?.plan.cutSignal ?? 'creationTime';
  return stateOf({ what, uid, signal, object, content });
}

/** The common fields of a single snapshot and a group. */
export interface AnySnapshot {
  readonly what: string;
  /** The UID that was recorded at its creation; undefined: it was not created, or its creation was not recorded. */
  readonly uid: string | undefined;
  readonly signal: CutSignal;
  readonly object: VolumeSnapshot | VolumeGroupSnapshot | null;
  readonly content: VolumeSnapshotContent | VolumeGroupSnapshotContent | null;
}

export function stateOf({ what, uid, signal, object, content }: AnySnapshot): State {
  if (uid === undefined) return { kind: 'waiting', message: `${what} is not created yet` };
  if (object === null || identify(object).uid !== uid || isTerminating(object)) {
    const message = `${what} was deleted before it was cut`;
    return { kind: 'broken', reason: 'SnapshotDeleted', message };
  }
  const missing = content === null ? 'content' : missingSign(content, signal);
  if (missing === null) return null;
  const reported = reportedError(object.status) || reportedError(content?.status);
  return { kind: 'waiting', message: `${what} has no ${missing} yet${reported}` };
}

/** Whether the storage has reported the cut. */
export function isCutIn(
  content: VolumeSnapshotContent | VolumeGroupSnapshotContent,
  signal: CutSignal,
): boolean {
  return missingSign(content, signal) === null;
}

/** The field that is missing for a cut, as text; null: the volume is cut. */
function missingSign(
  { status }: VolumeSnapshotContent | VolumeGroupSnapshotContent,
  signal: CutSignal,
): string | null {
  const { creationTime, readyToUse } = status ?? {};
  const isCut = signal === 'creationTime' ? creationTime !== undefined : readyToUse === true;
  return isCut ? null : `${signal} in its content`;
}

function reportedError(status: { readonly error?: SnapshotError } | undefined): string {
  const message = status?.error?.message;
  return message === undefined ? '' : ` (the snapshotter says: ${message})`;
}

function observeSingle({ plan, snapshot, content }: VolumeFacts): SnapshotVolume {
  return {
    ...plan,
    cut: true,
    ...atomicity(content ?? snapshot),
    ...progress(plan, snapshot, content),
  };
}

/**
 * Reads the list of cut volumes in the group's content. Before that list exists: the list of volumes to cut
 * (SNAP-CASE39).
 */
function observeMember(
  { plan, snapshot }: VolumeFacts,
  { snapshot: group, content }: GroupFacts,
): SnapshotVolume {
  const cut = content !== null && handlesOf(content).includes(handleOf(plan));
  const creationTime = plan.creationTime ?? cutTimeOf(content) ?? group?.status?.creationTime;
  return {
    ...plan,
    cut,
    ...atomicity(content),
    ...progress(
      cut && creationTime !== undefined ? { ...plan, creationTime } : plan,
      snapshot,
      null,
    ),
    ...memberNames(snapshot),
  };
}

export function handlesOf(content: VolumeGroupSnapshotContent): readonly (string | undefined)[] {
  const parts = partsOf(content)?.map(({ volumeHandle }) => volumeHandle);
  return parts ?? content.spec.source.volumeHandles ?? [];
}

function memberNames(
  snapshot: VolumeSnapshot | null,
): Pick<SnapshotVolume, 'volumeSnapshotName' | 'volumeSnapshotUID'> {
  const { name, uid } = snapshot?.metadata ?? {};
  return {
    ...(name === undefined ? {} : { volumeSnapshotName: name }),
    ...(uid === undefined ? {} : { volumeSnapshotUID: uid }),
  };
}

/**
 * The known progress of a volume. A snapshot that was ready stays ready: a later error of the snapshotter does not
 * change that.
 */
function progress(
  plan: SnapshotVolume,
  snapshot: VolumeSnapshot | null,
  content: VolumeSnapshotContent | null,
): Pick<SnapshotVolume, 'creationTime' | 'readyToUse'> {
  const status = snapshot?.status ?? {};
  const creationTime = plan.creationTime ?? cutTimeOf(content) ?? status.creationTime;
  const isReady = plan.readyToUse === true || status.readyToUse;
  return {
    ...(creationTime === undefined ? {} : { creationTime }),
    ...(isReady === undefined ? {} : { readyToUse: isReady }),
  };
}

const NANOSECONDS_PER_MS = 1_000_000;

/** The time of a cut. The content of a single snapshot has it in nanoseconds. The content of a group has it as text. */
function cutTimeOf(
  content: VolumeSnapshotContent | VolumeGroupSnapshotContent | null,
): string | undefined {
  const reported = content?.status?.creationTime;
  return typeof reported === 'number' ? microTimeText(reported / NANOSECONDS_PER_MS) : reported;
}

/** Maximum bytes of the storage's reason as stored. A half character would be stored as another one. */
const REASON_BYTES_MAX = 256;

export function atomicity(
  object: KubeObject | null,
): Pick<SnapshotVolume, 'atomic' | 'atomicReason'> {
  const { [ATOMIC]: reported, [ATOMIC_REASON]: reason } = object?.metadata?.annotations ?? {};
  if (reported !== 'true' && reported !== 'false') return {};
  const atomic = reported === 'true';
  if (reason === undefined) return { atomic };
  return {
    atomic,
    atomicReason: cutToBytes(reason, { bytesMax: REASON_BYTES_MAX, keep: 'start' }),
  };
}
