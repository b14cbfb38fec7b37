/** The members of a group snapshot, which its snapshotter makes when the group is cut (SNAP-R35). */
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

export function makeMembers(api: SimApi, { claimsCut, uid, key }: CutGroup): void {
  const apiVersion = 'groupsnapshot.storage.k8s.io/v1';
  const owner = { apiVersion, kind: groupSnapshots.kind, name: key.name, uid, controller: true };
  for (const claim of claimsCut) {
    const name = `member-${claim}-${uid}`;
    if (api.find(snapshots, { namespace: NAMESPACE, name }) !== undefined) continue;
    const contentName = `snapcontent-${claim}-${uid}`;
    const snapshotHandle = `cut-${claim}-${uid}`;
    const member: VolumeSnapshot = {
      metadata: { namespace: NAMESPACE, name, ownerReferences: [owner] },
      spec: { source: { volumeSnapshotContentName: contentName } },
    };
    const made = api.create(snapshots, member);
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
}

/** What the storage calls the volume of a claim. */
export function handleOf(claim: string): string {
  return `handle-${claim}`;
}

type Body = Parameters<SimApi['patch']>[2]['body'];

export function merge(body: Body): { type: 'merge'; body: Body } {
  return { type: 'merge', body };
}
