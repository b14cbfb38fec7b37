/**
 * The members of a group snapshot, which the snapshotter creates when the group is cut (SNAP-R35). A member names its
 * claim as its source, so the server calls the webhook of the guards for it.
 */
import {
  contents,
  groupSnapshots,
  snapshots,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../src/kube/snapshots.ts';
import type { ObjectKey } from '../../../src/kube/object.ts';
import type { SimApi } from '../controller/sim-api.ts';
import { NAMESPACE } from './sim-cluster.ts';

export interface CutGroup {
  readonly claimsCut: readonly string[];
  readonly uid: string;
  readonly key: ObjectKey;
}

/** Resolves with whether the API server accepts the member. */
export type Admits = (member: VolumeSnapshot) => Promise<boolean>;

/** Resolves with false if the server refuses a member, so that the caller must retry. */
export async function makeMembers(api: SimApi, group: CutGroup, admits: Admits): Promise<boolean> {
  for (const claim of group.claimsCut) {
    const member = memberOf(api, group, claim);
    if (isStored(api, member)) continue;
    if (!(await admits(member))) return false;
    if (!isStored(api, member)) makeMember(api, group, { claim, member });
  }
  return true;
}

function isStored(api: SimApi, { metadata }: VolumeSnapshot): boolean {
  return api.find(snapshots, { namespace: NAMESPACE, name: metadata?.name ?? '' }) !== undefined;
}

function memberOf(api: SimApi, { uid, key }: CutGroup, claim: string): VolumeSnapshot {
  const apiVersion = 'groupsnapshot.storage.k8s.io/v1';
  const owner = { apiVersion, kind: groupSnapshots.kind, name: key.name, uid, controller: true };
  const name = `member-${claim}-${uid}`;
  return {
    metadata: { namespace: NAMESPACE, name, uid: api.reserveUid(), ownerReferences: [owner] },
    spec: { source: { persistentVolumeClaimName: claim } },
  };
}

interface Making {
  readonly claim: string;
  readonly member: VolumeSnapshot;
}

function makeMember(api: SimApi, { uid }: CutGroup, { claim, member }: Making): void {
  const { name = '', uid: memberUid } = member.metadata ?? {};
  const contentName = `snapcontent-${claim}-${uid}`;
  const snapshotHandle = `cut-${claim}-${uid}`;
  const made = api.create(snapshots, member, memberUid);
  const content: VolumeSnapshotContent = {
    metadata: { name: contentName },
    spec: {
      volumeSnapshotRef: { namespace: NAMESPACE, name, uid: made.metadata.uid ?? '' },
      deletionPolicy: 'Delete',
      driver: 'sim',
      source: { snapshotHandle },
    },
    status: { snapshotHandle, readyToUse: true },
  };
  api.create(contents, content);
  const status = { boundVolumeSnapshotContentName: contentName, readyToUse: true };
  api.patch(snapshots, { namespace: NAMESPACE, name }, merge({ status }));
}

/** The storage's handle for the volume of a claim. */
export function handleOf(claim: string): string {
  return `handle-${claim}`;
}

type Body = Parameters<SimApi['patch']>[2]['body'];

export function merge(body: Body): { type: 'merge'; body: Body } {
  return { type: 'merge', body };
}
