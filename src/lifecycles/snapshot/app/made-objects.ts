/** The objects that a snapshot creates. The snapshot owns all of them, and a label on them names it. */
import { apiVersionOf, type KubeObject, type ObjectMeta } from '../../../kube/object.ts';
import type { VolumeGroupSnapshot, VolumeSnapshot } from '../../../kube/snapshots.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  type ExecutionHook,
  type SnapshotVolume,
} from '../kinds.ts';
import { EVIDENCE_FINALIZER, MADE_FOR } from '../names.ts';
import { identify } from './identify.ts';
import { madeForValue } from './object-names.ts';

/** The hook has our evidence finalizer from its creation until its evidence is stored. */
export function hookFor(snapshot: ApplicationSnapshot, index: number): ExecutionHook {
  const { executionHookNames = [], executionHookInfos = [] } = snapshot.status ?? {};
  const metadata = metadataFor(snapshot, executionHookNames[index] ?? '');
  return {
    metadata: { ...metadata, finalizers: [EVIDENCE_FINALIZER] },
    spec: { ...executionHookInfos[index] },
  };
}

export function volumeSnapshotFor(
  snapshot: ApplicationSnapshot,
  { volumeSnapshotName = '', claimName, snapshotClassName }: SnapshotVolume,
): VolumeSnapshot {
  return {
    metadata: metadataFor(snapshot, volumeSnapshotName),
    spec: {
      source: { persistentVolumeClaimName: claimName },
      volumeSnapshotClassName: snapshotClassName,
    },
  };
}

/** Selects by labels alone; whether the cut covers all planned volumes is checked in its content. */
export function groupSnapshotFor(snapshot: ApplicationSnapshot): VolumeGroupSnapshot {
  const { volumeGroupSnapshotName = '', volumes = [] } = snapshot.status ?? {};
  const matchLabels = { ...snapshot.spec.source.selector?.matchLabels };
  return {
    metadata: metadataFor(snapshot, volumeGroupSnapshotName),
    spec: {
      source: { selector: { matchLabels } },
      volumeGroupSnapshotClassName: volumes[0]?.snapshotClassName ?? '',
    },
  };
}

function metadataFor(snapshot: ApplicationSnapshot, name: string): ObjectMeta {
  const { namespace, name: owner, uid } = identify(snapshot);
  return {
    name,
    namespace,
    labels: { [MADE_FOR]: madeForValue(snapshot) },
    ownerReferences: [
      {
        apiVersion: apiVersionOf(applicationSnapshots),
        kind: applicationSnapshots.kind,
        name: owner,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

export function isOwnedBy({ metadata }: KubeObject, owner: KubeObject): boolean {
  const owners = metadata?.ownerReferences ?? [];
  return owners.some(({ uid }) => uid === owner.metadata?.uid);
}
