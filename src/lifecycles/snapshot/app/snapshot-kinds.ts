/**
 * The versions in which this cluster serves the kinds of volume snapshots, if any. They may change while this process
 * runs.
 *
 * Classes are not watched: a cluster serves them together with the snapshots, in the same version.
 */
import { ServedKind } from '../../../controller/served-kind.ts';
import type { Resource } from '../../../kube/object.ts';
import {
  classes,
  contents,
  GROUP_VERSIONS,
  groupKindsOf,
  type SnapshotClass,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { Timers } from '../../../platform/platform.ts';
import type { ApplicationSnapshotSpec } from '../kinds.ts';

const [newest, ...older] = GROUP_VERSIONS;

export class SnapshotKinds {
  readonly snapshots: ServedKind<VolumeSnapshot>;
  readonly contents: ServedKind<VolumeSnapshotContent>;
  readonly groups: ServedKind<VolumeGroupSnapshot>;
  readonly groupContents: ServedKind<VolumeGroupSnapshotContent>;

  constructor(timers: Timers) {
    this.snapshots = new ServedKind([snapshots], timers);
    this.contents = new ServedKind([contents], timers);
    const all = older.map(groupKindsOf);
    const first = groupKindsOf(newest);
    const ofGroups = all.map((kinds) => kinds.snapshots);
    const ofContents = all.map((kinds) => kinds.contents);
    this.groups = new ServedKind([first.snapshots, ...ofGroups], timers);
    this.groupContents = new ServedKind([first.contents, ...ofContents], timers);
  }

  /** The kinds that a snapshot of this mode needs and the cluster does not serve, as text for a message. */
  missing(mode: ApplicationSnapshotSpec['mode']): readonly string[] {
    const needed = [this.snapshots, this.contents];
    const ofGroup = mode === 'Group' ? [this.groups, this.groupContents] : [];
    return [...needed, ...ofGroup].filter(({ served }) => served === null).map(({ text }) => text);
  }

  /** The kind of the classes for this mode, in the version of the snapshots; null: the snapshots are not served. */
  classes(mode: ApplicationSnapshotSpec['mode']): Resource<SnapshotClass> | null {
    if (mode !== 'Group') return this.snapshots.served === null ? null : classes;
    return groupClassesOf(this.groups.served?.version ?? null);
  }
}

/** null: group snapshots are not served in a version that Lifehook knows. */
export function groupClassesOf(version: string | null): Resource<SnapshotClass> | null {
  return kindsOf(version)?.classes ?? null;
}

/** null: group snapshots are not served in a version that Lifehook knows. */
export function groupsOf(version: string | null): Resource<VolumeGroupSnapshot> | null {
  return kindsOf(version)?.snapshots ?? null;
}

function kindsOf(version: string | null): ReturnType<typeof groupKindsOf> | null {
  const known = GROUP_VERSIONS.find((each) => each === version);
  return known === undefined ? null : groupKindsOf(known);
}
