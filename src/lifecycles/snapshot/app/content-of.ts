/**
 * Finds the content that belongs to a snapshot. Pure.
 *
 *  - It refers to the snapshot by its UID: the content of an earlier snapshot of the same name does not match.
 *  - The snapshot refers to no other content. Until it refers to one, a pre-provisioned content (whose source is not a
 *    volume) does not match: a user may create such a content for any snapshot.
 *
 * The snapshot may be deleted: its content may still be cut, too late.
 */
import type { VolumeGroupSnapshotContent, VolumeSnapshotContent } from '../../../kube/snapshots.ts';

export interface Snapshotted {
  readonly uid: string | undefined;
  /** The name of the content to which the snapshot is bound; undefined: it is not bound yet. */
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
