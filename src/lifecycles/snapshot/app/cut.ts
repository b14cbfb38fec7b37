/**
 * Whether the volumes are cut, as section 5 of the reference has it. Pure.
 *
 *  - A cut is a creationTime with both names verified: the snapshot names its content, and the content
 *    the snapshot by uid. What `status.error` says does not count: it may stand beside a cut, and without
 *    one it says "not yet" (the snapshotter tries for ever).
 *  - Where the class says so, only readyToUse is believed.
 *  - A group's cut is the group's; its members come after it.
 */
import { isGoing } from '../../../controller/finalizers.ts';
import {
  ATOMIC,
  ATOMIC_REASON,
  type SnapshotError,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
} from '../../../kube/snapshots.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { CutSignal, SnapshotVolume } from '../kinds.ts';
import { type GroupFacts, handleOf, type SnapshotFacts, type VolumeFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import { identify } from './identify.ts';

export type CutState =
  | { readonly kind: 'waiting'; readonly message: string }
  /** All volumes, with what is known of their snapshots. */
  | { readonly kind: 'cut'; readonly volumes: readonly SnapshotVolume[] }
  /** It cannot come any more. */
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

/** What is seen of the snapshots now; what was seen once stays. */
export function observeVolumes({ volumes, group }: SnapshotFacts): SnapshotVolume[] {
  return volumes.map((volume) =>
    group === null ? observeSingle(volume) : observeMember(volume, group),
  );
}

/** null: it is cut. */
type State = Exclude<CutState, { kind: 'cut' }> | null;

function singleState({ plan, snapshot, content }: VolumeFacts): State {
  const status = snapshot?.status ?? {};
  const what = `VolumeSnapshot ${plan.volumeSnapshotName ?? ''}`;
  const state = stateOf({
    what,
    uid: plan.volumeSnapshotUID,
    signal: plan.cutSignal,
    object: snapshot,
    status,
    bound: status.boundVolumeSnapshotContentName,
    content,
    contentUid: content?.spec.volumeSnapshotRef.uid,
  });
  const source = content?.spec.source.volumeHandle;
  if (state !== null || source === undefined || source === handleOf(plan)) return state;
  const message = `${what} is of volume ${source}, and ${handleOf(plan)} was meant`;
  return { kind: 'broken', reason: 'WrongVolume', message };
}

function groupState(
  { snapshot, content }: GroupFacts,
  { volumes, snapshot: owner }: SnapshotFacts,
): State {
  const { volumeGroupSnapshotName = '', volumeGroupSnapshotUID: uid } = owner.status ?? {};
  const status = snapshot?.status ?? {};
  return stateOf({
    what: `VolumeGroupSnapshot ${volumeGroupSnapshotName}`,
    uid,
    signal: volumes[0]?.plan.cutSignal ?? 'creationTime',
    object: snapshot,
    status,
    bound: status.boundVolumeGroupSnapshotContentName,
    content,
    contentUid: content?.spec.volumeGroupSnapshotRef.uid,
  });
}

/** What a single snapshot and a group have in common. */
interface AnySnapshot {
  readonly what: string;
  /** As it was made; undefined: it was not, or that is not known. */
  readonly uid: string | undefined;
  readonly signal: CutSignal;
  readonly object: KubeObject | null;
  readonly status: { creationTime?: string; readyToUse?: boolean; error?: SnapshotError };
  /** The name of the content that the snapshot names, and the content that names the snapshot. */
  readonly bound: string | undefined;
  readonly content: KubeObject | null;
  readonly contentUid: string | undefined;
}

function stateOf(snapshot: AnySnapshot): State {
  const { what, uid, signal, object, status } = snapshot;
  if (uid === undefined) return { kind: 'waiting', message: `${what} is to be made` };
  if (object === null || identify(object).uid !== uid || isGoing(object)) {
    const message = `${what} was deleted by somebody before it was cut`;
    return { kind: 'broken', reason: 'SnapshotDeleted', message };
  }
  const told = toldError(status.error);
  if (!isBound(snapshot)) return { kind: 'waiting', message: `${what} is not bound yet${told}` };
  const { creationTime, readyToUse } = status;
  const isCut = signal === 'creationTime' ? creationTime !== undefined : readyToUse === true;
  return isCut ? null : { kind: 'waiting', message: `${what} has no ${signal} yet${told}` };
}

function toldError(error: SnapshotError | undefined): string {
  return error?.message === undefined ? '' : ` (the snapshotter says: ${error.message})`;
}

function isBound({ uid, bound, content, contentUid }: AnySnapshot): boolean {
  return bound !== undefined && content?.metadata?.name === bound && contentUid === uid;
}

function observeSingle({ plan, snapshot, content }: VolumeFacts): SnapshotVolume {
  return { ...plan, cut: true, ...atomicity(content ?? snapshot), ...progress(plan, snapshot) };
}

/** The list of what was cut counts; before it is there, what was to be cut does (case 39). */
function observeMember(
  { plan, snapshot }: VolumeFacts,
  { snapshot: group, content }: GroupFacts,
): SnapshotVolume {
  const cut = content !== null && handlesOf(content).includes(handleOf(plan));
  const { creationTime } = group?.status ?? {};
  return {
    ...plan,
    cut,
    ...(cut && creationTime !== undefined ? { creationTime } : {}),
    ...atomicity(content),
    ...progress(plan, snapshot),
    ...memberNames(snapshot),
  };
}

function handlesOf({ spec, status }: VolumeGroupSnapshotContent): readonly (string | undefined)[] {
  const parts = status?.volumeSnapshotInfoList?.map(({ volumeHandle }) => volumeHandle);
  return parts ?? spec.source.volumeHandles ?? [];
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

/** Ready stays ready: what a snapshotter says later of an error does not unmake it. */
function progress(
  plan: SnapshotVolume,
  snapshot: VolumeSnapshot | null,
): Pick<SnapshotVolume, 'creationTime' | 'readyToUse'> {
  const { creationTime = plan.creationTime, readyToUse } = snapshot?.status ?? {};
  const isReady = plan.readyToUse === true || readyToUse;
  return {
    ...(creationTime === undefined ? {} : { creationTime }),
    ...(isReady === undefined ? {} : { readyToUse: isReady }),
  };
}

/** Of what the snapshotter says of its cut. */
const REASON_CHARACTERS_MAX = 256;

function atomicity(object: KubeObject | null): Pick<SnapshotVolume, 'atomic' | 'atomicReason'> {
  const { [ATOMIC]: told, [ATOMIC_REASON]: reason } = object?.metadata?.annotations ?? {};
  if (told !== 'true' && told !== 'false') return {};
  const atomic = told === 'true';
  if (reason === undefined) return { atomic };
  return { atomic, atomicReason: reason.slice(0, REASON_CHARACTERS_MAX) };
}
