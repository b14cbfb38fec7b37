/** Decides the next step of a VolumeSnapshot. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { timeText } from '../../../../../src/controller/kube-time.ts';
import { formatQuantity } from '../../../../../src/kube/quantity.ts';
import {
  type SnapshotClass,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { DRIVER, pathOfVolume } from '../context.ts';

export interface SnapshotFacts {
  readonly snapshot: VolumeSnapshot;
  /** Class that the snapshot names, else the default class of our driver. */
  readonly snapshotClass: SnapshotClass | undefined;
  readonly claim: PersistentVolumeClaim | null;
  readonly volume: PersistentVolume | null;
  /** The content that the snapshot is bound to, that it names, or that would be created for it. */
  readonly content: VolumeSnapshotContent | null;
}

export type SnapshotStep =
  /** The snapshot belongs to another driver, or nothing is to be done. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fail'; readonly message: string }
  | {
      readonly kind: 'createContent';
      readonly content: VolumeSnapshotContent;
      readonly claim: PersistentVolumeClaim;
    }
  | { readonly kind: 'claimContent'; readonly content: VolumeSnapshotContent }
  | { readonly kind: 'report'; readonly status: NonNullable<VolumeSnapshot['status']> }
  | { readonly kind: 'deleteContent'; readonly content: VolumeSnapshotContent }
  | { readonly kind: 'waitForContent' }
  | { readonly kind: 'release' };

export function decideSnapshot(facts: SnapshotFacts): SnapshotStep {
  const { snapshot, content } = facts;
  if (snapshot.metadata?.deletionTimestamp !== undefined) return decideEnd(snapshot, content);
  if (content !== null) return decideBound(snapshot, content);
  const named = snapshot.spec?.source?.volumeSnapshotContentName;
  return named === undefined
    ? decideNew(facts)
    : { kind: 'fail', message: `VolumeSnapshotContent ${named} does not exist` };
}

function decideBound(snapshot: VolumeSnapshot, content: VolumeSnapshotContent): SnapshotStep {
  if (content.spec.driver !== DRIVER) return { kind: 'nothing' };
  const { uid = '' } = content.spec.volumeSnapshotRef;
  const message = whyNotMeant(snapshot, content);
  if (message !== null) return { kind: 'fail', message };
  if (uid === '') return { kind: 'claimContent', content };
  return { kind: 'report', status: statusOf(snapshot, content) };
}

function whyNotMeant(
  { metadata: own = {} }: VolumeSnapshot,
  { metadata = {}, spec }: VolumeSnapshotContent,
): string | null {
  const { name, namespace, uid = '' } = spec.volumeSnapshotRef;
  const what = `VolumeSnapshotContent ${metadata.name ?? ''}`;
  if (name !== own.name || namespace !== own.namespace) {
    return `${what} is for another VolumeSnapshot`;
  }
  return uid === '' || uid === own.uid
    ? null
    : `${what} is bound to a VolumeSnapshot of this name with another UID`;
}

/** The step of a terminating snapshot. Its content is deleted with it, unless the content's policy is Retain. */
function decideEnd(
  { metadata }: VolumeSnapshot,
  content: VolumeSnapshotContent | null,
): SnapshotStep {
  if (content === null || content.spec.volumeSnapshotRef.uid !== metadata?.uid) {
    return { kind: 'release' };
  }
  if (content.spec.driver !== DRIVER) return { kind: 'nothing' };
  if (content.spec.deletionPolicy === 'Retain') return { kind: 'release' };
  if (content.metadata?.deletionTimestamp !== undefined) return { kind: 'waitForContent' };
  return { kind: 'deleteContent', content };
}

function decideNew(facts: SnapshotFacts): SnapshotStep {
  const { snapshot, snapshotClass, claim, volume } = facts;
  if (isMember(snapshot)) return { kind: 'waitForContent' };
  if (isForeign(facts)) return { kind: 'nothing' };
  const message = whyNoClaim(facts) ?? whyNoVolume(facts) ?? whyNoClass(facts);
  if (message !== null) return { kind: 'fail', message };
  if (snapshotClass === undefined || claim === null || volume === null) return { kind: 'nothing' };
  return { kind: 'createContent', content: contentFor(snapshot, snapshotClass, volume), claim };
}

/** True if the class is of another driver. Without a class, the driver of the volume decides. */
function isForeign({ snapshotClass, volume }: SnapshotFacts): boolean {
  if (snapshotClass !== undefined) return snapshotClass.driver !== DRIVER;
  return volume !== null && driverOf(volume) !== DRIVER;
}

function whyNoClaim({ snapshot, claim }: SnapshotFacts): string | null {
  const name = snapshot.spec?.source?.persistentVolumeClaimName ?? '';
  if (claim === null) return `claim ${name} does not exist`;
  if (claim.metadata?.deletionTimestamp !== undefined) return `claim ${name} is being deleted`;
  const phase = claim.status?.phase ?? 'Pending';
  return phase === 'Bound' ? null : `claim ${name} must be bound to a volume; it is ${phase}`;
}

function whyNoVolume({ claim, volume }: SnapshotFacts): string | null {
  if (volume === null) return `volume ${claim?.spec?.volumeName ?? ''} does not exist`;
  return isOf(volume, claim) ? whyNotOurs(volume) : 'the volume is bound to another claim';
}

function isOf({ spec }: PersistentVolume, claim: PersistentVolumeClaim | null): boolean {
  return spec?.claimRef?.uid === claim?.metadata?.uid;
}

export function whyNotOurs(volume: PersistentVolume): string | null {
  const what = `volume ${volume.metadata?.name ?? ''}`;
  const driver = driverOf(volume);
  if (driver !== DRIVER)
    return `the class is of driver ${DRIVER}, but ${what} is of driver ${driver}`;
  return pathOfVolume(volume) === null ? `${what} is not a directory of this machine` : null;
}

function whyNoClass({ snapshot, snapshotClass }: SnapshotFacts): string | null {
  if (snapshotClass !== undefined) return null;
  const name = snapshot.spec?.volumeSnapshotClassName;
  if (name !== undefined) return `VolumeSnapshotClass ${name} does not exist`;
  return `it names no VolumeSnapshotClass, and no class of driver ${DRIVER} is the default`;
}

export function driverOf({ spec }: PersistentVolume): string {
  return spec?.csi?.driver ?? DRIVER;
}

/** Name of the content. A member of a group has it in its status, because the group creates the content. */
export function contentName({ metadata, spec, status }: VolumeSnapshot): string {
  const named = status?.boundVolumeSnapshotContentName ?? spec?.source?.volumeSnapshotContentName;
  return named ?? `snapcontent-${metadata?.uid ?? ''}`;
}

/** True for a member of a group, for which nothing is cut. */
function isMember({ metadata }: VolumeSnapshot): boolean {
  return metadata?.ownerReferences?.some(({ kind }) => kind === 'VolumeGroupSnapshot') === true;
}

/** Identifies a volume in a content: its CSI handle, or its name if it has no handle. */
export function handleOf({ metadata, spec }: PersistentVolume): string {
  return spec?.csi?.volumeHandle ?? metadata?.name ?? '';
}

function contentFor(
  snapshot: VolumeSnapshot,
  { metadata, deletionPolicy }: SnapshotClass,
  volume: PersistentVolume,
): VolumeSnapshotContent {
  const { name = '', namespace = '', uid = '' } = snapshot.metadata ?? {};
  const apiVersion = 'snapshot.storage.k8s.io/v1';
  return {
    metadata: { name: contentName(snapshot) },
    spec: {
      volumeSnapshotRef: { apiVersion, kind: 'VolumeSnapshot', name, namespace, uid },
      deletionPolicy,
      driver: DRIVER,
      volumeSnapshotClassName: metadata?.name ?? '',
      source: { volumeHandle: handleOf(volume) },
      sourceVolumeMode: volume.spec?.volumeMode ?? 'Filesystem',
    },
  };
}

/** The status of the snapshot. An error is reported while it persists; the time of the cut never changes. */
function statusOf(
  { status: before = {} }: VolumeSnapshot,
  { metadata, status = {} }: VolumeSnapshotContent,
): NonNullable<VolumeSnapshot['status']> {
  const { creationTime, restoreSize, readyToUse = false, error } = status;
  const { error: _reported, ...kept } = before;
  return {
    ...kept,
    boundVolumeSnapshotContentName: metadata?.name ?? '',
    readyToUse,
    ...(creationTime === undefined ? {} : { creationTime: timeText(creationTime / 1e6) }),
    ...(restoreSize === undefined ? {} : { restoreSize: sizeText(restoreSize) }),
    ...(error === undefined || readyToUse ? {} : { error }),
  };
}

function sizeText(bytes: number): string {
  return formatQuantity({ nanos: BigInt(bytes) * 1_000_000_000n, format: 'binary' });
}
