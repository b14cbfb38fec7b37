/** The snapshotter's names in the kinds of the snapshot groups. */

export const DRIVER = 'lifehook.dev/local';

const GROUP = 'snapshot.storage.kubernetes.io';
export const BEING_CREATED: string = `${GROUP}/volumesnapshot-being-created`;
export const BEING_DELETED: string = `${GROUP}/volumesnapshot-being-deleted`;
export const SNAPSHOT_BOUND: string = `${GROUP}/volumesnapshot-bound-protection`;
export const CONTENT_BOUND: string = `${GROUP}/volumesnapshotcontent-bound-protection`;
export const CLAIM_IS_SOURCE: string = `${GROUP}/pvc-as-source-protection`;

const GROUPS = 'groupsnapshot.storage.kubernetes.io';
export const GROUP_BEING_CREATED: string = `${GROUPS}/volumegroupsnapshot-being-created`;
export const GROUP_BOUND: string = `${GROUPS}/volumegroupsnapshot-bound-protection`;
export const GROUP_CONTENT_BOUND: string = `${GROUPS}/volumegroupsnapshotcontent-bound-protection`;

/** Ours, beside ATOMIC: how a snapshot was cut. */
export const METHOD = 'lifehook.dev/snapshot-method';
