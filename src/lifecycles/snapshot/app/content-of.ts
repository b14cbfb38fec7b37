/**
 * Which content is the one of a snapshot. Pure.
 *
 *  - It names the snapshot by its uid: one of an earlier snapshot of the same name is not the one.
 *  - The snapshot names no other content. Until it names one, a content that was made from a snapshot of before
 *    (which has no volume as its source) is not the one: a user may create such a content for any snapshot.
 *
 * The snapshot may be deleted: its content may be cut all the same, late.
 */
import type { VolumeGroupSnapshotContent, VolumeSnapshotContent } from '../../../kube/snapshots.ts';

export interface Snapshotted {
  readonly uid: string | undefined;
  /** The content that the snapshot names; undefined: none yet. */
  readonly bound: string | undefined;
}

export function contentOf<T extends VolumeSnapshotContent | VolumeGroupSnapshotContent>(
  found: readonly T[],
  { uid, bound }: Snapshotted,
): T | null {
  const own = found.filter((content) => referredUid(content) === uid);
  const isIt = (content: T): boolean =>
    bound === undefined ? isOfVolumes(content) : content.metadata?.name === bound;
  return own.find(isIt) ?? null;
}

function referredUid({
  spec,
}: VolumeSnapshotContent | VolumeGroupSnapshotContent): string | undefined {
  return 'volumeSnapshotRef' in spec ? spec.volumeSnapshotRef.uid : spec.volumeGroupSnapshotRef.uid;
}

function isOfVolumes({ spec }: VolumeSnapshotContent | VolumeGroupSnapshotContent): boolean {
  const { source } = spec;
  return 'volumeHandles' in source || 'volumeHandle' in source;
}
