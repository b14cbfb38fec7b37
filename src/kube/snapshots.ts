/**
 * The kinds of the snapshot groups, as far as we read and write them: single snapshots (`snapshot.storage.k8s.io/v1`)
 * and snapshots of several volumes at one moment (`groupsnapshot.storage.k8s.io`).
 */
import type { KubeObject, Resource } from './object.ts';
import { makeResource } from './resources.ts';

/** Annotations that mark the default class of each group. */
export const IS_DEFAULT_CLASS = 'snapshot.storage.kubernetes.io/is-default-class';
export const IS_DEFAULT_GROUP_CLASS = 'groupsnapshot.storage.kubernetes.io/is-default-class';

/**
 * Annotation of VolumeSnapshots and VolumeSnapshotContents. "false": the snapshots of their volumes may be of different
 * moments.
 */
export const ATOMIC = 'lifehook.dev/atomic';
/** Annotation with the evidence for the value of `ATOMIC`, as text. */
export const ATOMIC_REASON = 'lifehook.dev/atomic-reason';

export interface SnapshotError {
  time?: string;
  message?: string;
}

export interface Reference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}

export type DeletionPolicy = 'Delete' | 'Retain';

export interface VolumeSnapshot extends KubeObject {
  spec?: {
    source?: { persistentVolumeClaimName?: string; volumeSnapshotContentName?: string };
    volumeSnapshotClassName?: string;
  };
  status?: {
    boundVolumeSnapshotContentName?: string;
    creationTime?: string;
    readyToUse?: boolean;
    restoreSize?: string;
    error?: SnapshotError;
    volumeGroupSnapshotName?: string;
  };
}

export interface VolumeSnapshotContent extends KubeObject {
  spec: {
    volumeSnapshotRef: Reference;
    deletionPolicy: DeletionPolicy;
    driver: string;
    volumeSnapshotClassName?: string;
    source: { volumeHandle?: string; snapshotHandle?: string };
    sourceVolumeMode?: string;
  };
  status?: {
    snapshotHandle?: string;
    /** Nanoseconds since the epoch. */
    creationTime?: number;
    readyToUse?: boolean;
    /** Bytes. */
    restoreSize?: number;
    error?: SnapshotError;
    volumeGroupSnapshotHandle?: string;
  };
}

export interface SnapshotClass extends KubeObject {
  driver: string;
  deletionPolicy: DeletionPolicy;
  parameters?: Record<string, string>;
}

export interface VolumeGroupSnapshot extends KubeObject {
  spec?: {
    source?: {
      selector?: { matchLabels?: Record<string, string>; matchExpressions?: object[] };
      volumeGroupSnapshotContentName?: string;
    };
    volumeGroupSnapshotClassName?: string;
  };
  status?: {
    boundVolumeGroupSnapshotContentName?: string;
    creationTime?: string;
    readyToUse?: boolean;
    error?: SnapshotError;
  };
}

export interface SnapshotInfo {
  volumeHandle?: string;
  snapshotHandle?: string;
  creationTime?: number;
  readyToUse?: boolean;
  restoreSize?: number;
}

export interface VolumeGroupSnapshotContent extends KubeObject {
  spec: {
    volumeGroupSnapshotRef: Reference;
    deletionPolicy: DeletionPolicy;
    driver: string;
    volumeGroupSnapshotClassName?: string;
    source: { volumeHandles?: string[] };
  };
  status?: {
    volumeGroupSnapshotHandle?: string;
    creationTime?: string;
    readyToUse?: boolean;
    volumeSnapshotInfoList?: SnapshotInfo[];
    /** The field of v1beta1; later versions have `volumeSnapshotInfoList`. */
    volumeSnapshotHandlePairList?: SnapshotInfo[];
    error?: SnapshotError;
  };
}

/** The snapshots of the single volumes; undefined: they are not reported yet. */
export function partsOf({
  status,
}: VolumeGroupSnapshotContent): readonly SnapshotInfo[] | undefined {
  return status?.volumeSnapshotInfoList ?? status?.volumeSnapshotHandlePairList;
}

const single = 'snapshot.storage.k8s.io/v1';
export const snapshots: Resource<VolumeSnapshot> = makeResource({
  apiVersion: single,
  kind: 'VolumeSnapshot',
});
export const contents: Resource<VolumeSnapshotContent> = makeResource({
  apiVersion: single,
  kind: 'VolumeSnapshotContent',
  namespaced: false,
});
export const classes: Resource<SnapshotClass> = makeResource({
  apiVersion: single,
  kind: 'VolumeSnapshotClass',
  plural: 'volumesnapshotclasses',
  namespaced: false,
});

/** The versions of the group kinds that we read and write, newest first. */
export const GROUP_VERSIONS = ['v1', 'v1beta2', 'v1beta1'] as const;
export type GroupVersion = (typeof GROUP_VERSIONS)[number];

export interface GroupKinds {
  readonly snapshots: Resource<VolumeGroupSnapshot>;
  readonly contents: Resource<VolumeGroupSnapshotContent>;
  readonly classes: Resource<SnapshotClass>;
}

export function groupKindsOf(version: GroupVersion): GroupKinds {
  const apiVersion = `groupsnapshot.storage.k8s.io/${version}`;
  return {
    snapshots: makeResource({ apiVersion, kind: 'VolumeGroupSnapshot' }),
    contents: makeResource({ apiVersion, kind: 'VolumeGroupSnapshotContent', namespaced: false }),
    classes: makeResource({
      apiVersion,
      kind: 'VolumeGroupSnapshotClass',
      plural: 'volumegroupsnapshotclasses',
      namespaced: false,
    }),
  };
}

const newestGroup = groupKindsOf('v1');
export const groupSnapshots: GroupKinds['snapshots'] = newestGroup.snapshots;
export const groupContents: GroupKinds['contents'] = newestGroup.contents;
export const groupClasses: GroupKinds['classes'] = newestGroup.classes;
