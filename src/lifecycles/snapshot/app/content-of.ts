/**
 * Finds the content that belongs to a snapshot. Pure.
 *
 *  - The content refers to the snapshot by its UID: the content of an earlier snapshot of the same name does not match.
 *  - The snapshot refers to no other content. While the snapshot refers to none, a pre-provisioned content (whose
 *    source is not a volume) does not match: a user may create such a content for any snapshot.
 *
 * The content is found even after the snapshot was deleted: the storage may still cut it, too late.
 */
import {
  partsOf,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { SnapshotCaches } from './caches.ts';

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

/**
 * A member of a group snapshot. Any VolumeSnapshot may name a group as its owner. It is a member only if its own
 * content has the handle of a part that the group's content lists.
 */
export interface Member {
  readonly object: VolumeSnapshot;
  readonly content: VolumeSnapshotContent;
  /** The storage's handle of the member's part. */
  readonly handle: string;
}

/** The members of a group, with their contents. `uid`: UID of the group. */
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

/**
 * The content that belongs to the snapshot. null: the snapshot has no content, or names the content of another
 * snapshot.
 */
function ownContentOf(
  { contents }: Pick<SnapshotCaches, 'contents'>,
  { metadata, spec, status }: VolumeSnapshot,
): VolumeSnapshotContent | null {
  const name = status?.boundVolumeSnapshotContentName ?? spec?.source?.volumeSnapshotContentName;
  const content = name === undefined ? undefined : contents.get(name);
  return content?.spec.volumeSnapshotRef.uid === metadata?.uid ? (content ?? null) : null;
}
