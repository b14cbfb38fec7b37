/** Volumes, the claims on them, and what the storage group says about both. */
import type { KindSpec } from '../kind-spec.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { csiDriver, storageClass, volumeAttachment } from './storage-class.ts';

export const storageKinds: readonly KindSpec[] = [
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttachment,
  csiDriver,
];
