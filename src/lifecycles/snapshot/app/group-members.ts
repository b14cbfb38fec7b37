/**
 * The members of a group snapshot. Any VolumeSnapshot may name a group as its owner: a member is one whose own content has
 * the handle of a part that the content of the group lists.
 */
import {
  partsOf,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { SnapshotCaches } from './caches.ts';

export interface Member {
  readonly object: VolumeSnapshot;
  readonly content: VolumeSnapshotContent;
  /** The handle of its part. */
  readonly handle: string;
}

/** `uid`: of the group. */
export function membersOf(
  caches: Pick<SnapshotCaches, 'snapshots' | 'contents'>,
  { uid, content: groupContent }: { uid: string; content: VolumeGroupSnapshotContent | null },
): readonly Member[] {
  const parts = groupContent === null ? [] : (partsOf(groupContent) ?? []);
  const handles = new Set(parts.map(({ snapshotHandle }) => snapshotHandle));
  return caches.snapshots.byIndex('owner', uid).flatMap((object) => {
    const content = ownContentOf(caches, object);
    const handle = content?.spec.source.snapshotHandle ?? content?.status?.snapshotHandle;
    if (content === null || handle === undefined || !handles.has(handle)) return [];
    return [{ object, content, handle }];
  });
}

/** null: it has none, or names that of another snapshot. */
function ownContentOf(
  { contents }: Pick<SnapshotCaches, 'contents'>,
  { metadata, spec, status }: VolumeSnapshot,
): VolumeSnapshotContent | null {
  const name = status?.boundVolumeSnapshotContentName ?? spec?.source?.volumeSnapshotContentName;
  const content = name === undefined ? undefined : contents.get(name);
  return content?.spec.volumeSnapshotRef.uid === metadata?.uid ? (content ?? null) : null;
}
