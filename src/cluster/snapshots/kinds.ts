/** The kinds of the snapshot groups, as far as the snapshotter reads and writes them, and its names in them. */
import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';

export const DRIVER = 'lifehook.dev/local';

const GROUP = 'snapshot.storage.kubernetes.io';
export const IS_DEFAULT_CLASS: string = `${GROUP}/is-default-class`;
export const BEING_CREATED: string = `${GROUP}/volumesnapshot-being-created`;
export const BEING_DELETED: string = `${GROUP}/volumesnapshot-being-deleted`;
export const SNAPSHOT_BOUND: string = `${GROUP}/volumesnapshot-bound-protection`;
export const CONTENT_BOUND: string = `${GROUP}/volumesnapshotcontent-bound-protection`;
export const CLAIM_IS_SOURCE: string = `${GROUP}/pvc-as-source-protection`;

const GROUPS = 'groupsnapshot.storage.kubernetes.io';
export const IS_DEFAULT_GROUP_CLASS: string = `${GROUPS}/is-default-class`;
export const GROUP_BEING_CREATED: string = `${GROUPS}/volumegroupsnapshot-being-created`;
export const GROUP_BOUND: string = `${GROUPS}/volumegroupsnapshot-bound-protection`;
export const GROUP_CONTENT_BOUND: string = `${GROUPS}/volumegroupsnapshotcontent-bound-protection`;

/** Ours: how a snapshot was cut, and whether all of it is of one moment. */
export const METHOD = 'lifehook.dev/snapshot-method';
export const ATOMIC = 'lifehook.dev/atomic';

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
    error?: SnapshotError;
  };
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

const group = 'groupsnapshot.storage.k8s.io/v1';
export const groupSnapshots: Resource<VolumeGroupSnapshot> = makeResource({
  apiVersion: group,
  kind: 'VolumeGroupSnapshot',
});
export const groupContents: Resource<VolumeGroupSnapshotContent> = makeResource({
  apiVersion: group,
  kind: 'VolumeGroupSnapshotContent',
  namespaced: false,
});
export const groupClasses: Resource<SnapshotClass> = makeResource({
  apiVersion: group,
  kind: 'VolumeGroupSnapshotClass',
  plural: 'volumegroupsnapshotclasses',
  namespaced: false,
});
