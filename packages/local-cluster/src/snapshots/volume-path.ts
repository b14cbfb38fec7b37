import type { PersistentVolume } from 'kubernetes-types/core/v1.js';

/** The folder of this host that a volume is; null: it is none. */
export function pathOfVolume({ spec }: PersistentVolume): string | null {
  const { hostPath, local, csi } = spec ?? {};
  return hostPath?.path ?? local?.path ?? csi?.volumeAttributes?.['path'] ?? null;
}
