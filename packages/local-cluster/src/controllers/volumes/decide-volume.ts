/** What a volume needs next, once its claim was looked for on the server. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { DRIVER, PROVISIONED_BY } from './names.ts';

export interface VolumeFacts {
  readonly volume: PersistentVolume;
  /** Of the reference's name and namespace; null: there is none. */
  readonly claim: PersistentVolumeClaim | null;
}

export type VolumeStep =
  | { readonly kind: 'phase'; readonly phase: string; readonly message?: string }
  /** Its data goes, and then the volume. */
  | { readonly kind: 'reclaim' };

export function decideVolume({ volume, claim }: VolumeFacts): VolumeStep {
  const reference = volume.spec?.claimRef;
  if (reference === undefined || (reference.uid ?? '') === '') {
    return { kind: 'phase', phase: 'Available' };
  }
  if (claim === null || claim.metadata?.uid !== reference.uid) return release(volume);
  return { kind: 'phase', phase: 'Bound' };
}

function release(volume: PersistentVolume): VolumeStep {
  const { metadata, status } = volume;
  const policy = volume.spec?.persistentVolumeReclaimPolicy;
  const released: VolumeStep = { kind: 'phase', phase: 'Released' };
  if (policy === 'Retain') return released;
  // First it is seen as released: who follows phases learns of each.
  if (status?.phase !== 'Released' && status?.phase !== 'Failed') return released;
  return unclaimed(policy, metadata?.annotations?.[PROVISIONED_BY]);
}

function unclaimed(policy: string | undefined, maker: string | undefined): VolumeStep {
  if (policy === 'Delete' && maker === DRIVER) return { kind: 'reclaim' };
  if (maker !== undefined) return { kind: 'phase', phase: 'Released' };
  const message = `the volume was not made by ${DRIVER}: it is not deleted, take it away by hand`;
  return { kind: 'phase', phase: 'Failed', message };
}
