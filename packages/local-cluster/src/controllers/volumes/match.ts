/** Finds the volume that fits a claim: the one reserved for it, else the smallest that is large enough. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { parseQuantity } from '../../../../../src/kube/quantity.ts';
import { matchesSelector } from '../../objects/selector-object.ts';

export function bestMatch(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | null {
  const open = volumes.filter((volume) => isOpenTo(claim, volume));
  const reserved = open.find((volume) => isReservedFor(claim, volume) && suffices(claim, volume));
  if (reserved !== undefined) return reserved;
  const fitting = open.filter(
    (volume) =>
      volume.spec?.claimRef === undefined &&
      volume.status?.phase === 'Available' &&
      suffices(claim, volume) &&
      isSelected(claim, volume),
  );
  return fitting.toSorted(bySize)[0] ?? null;
}

/** True if the volume's claimRef names this claim: by uid, or by name alone if a user wrote it. */
export function isReservedFor(
  { metadata = {} }: PersistentVolumeClaim,
  { spec }: PersistentVolume,
): boolean {
  const { name, namespace, uid = '' } = spec?.claimRef ?? {};
  if (name === undefined || name !== metadata.name || namespace !== metadata.namespace)
    return false;
  return uid === '' || uid === metadata.uid;
}

/** Reason why a volume cannot be bound to the claim that names it; null if it can. */
export function mismatch(claim: PersistentVolumeClaim, volume: PersistentVolume): string | null {
  if (modeOf(claim) !== modeOf(volume)) return 'incompatible volumeMode';
  if (classOf(claim) !== classOf(volume)) return 'storageClassName does not match';
  if (sizeOf(volume) < requestOf(claim)) return 'requested PV is too small';
  return hasModes(claim, volume) ? null : 'incompatible accessMode';
}

function isOpenTo(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return volume.metadata?.deletionTimestamp === undefined && modeOf(claim) === modeOf(volume);
}

function suffices(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return mismatch(claim, volume) === null;
}

function isSelected({ spec }: PersistentVolumeClaim, { metadata }: PersistentVolume): boolean {
  if (spec?.selector === undefined) return true;
  const selector = spec.selector as unknown as JsonObject;
  return matchesSelector(selector, metadata?.labels ?? {});
}

function hasModes({ spec }: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  const has = volume.spec?.accessModes ?? [];
  return (spec?.accessModes ?? []).every((mode) => has.includes(mode));
}

function modeOf({ spec }: PersistentVolumeClaim | PersistentVolume): string {
  return spec?.volumeMode ?? 'Filesystem';
}

export function classOf({ spec }: PersistentVolumeClaim | PersistentVolume): string {
  return spec?.storageClassName ?? '';
}

function requestOf({ spec }: PersistentVolumeClaim): bigint {
  return nanos(spec?.resources?.requests?.['storage']);
}

function sizeOf({ spec }: PersistentVolume): bigint {
  return nanos(spec?.capacity?.['storage']);
}

function nanos(quantity: string | undefined): bigint {
  return parseQuantity(quantity ?? '0')?.nanos ?? 0n;
}

function bySize(a: PersistentVolume, b: PersistentVolume): number {
  const [left, right] = [sizeOf(a), sizeOf(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
