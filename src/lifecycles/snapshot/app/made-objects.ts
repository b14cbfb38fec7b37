/** The objects that a snapshot creates. The snapshot owns all of them, and a label on them names it. */
import { apiVersionOf, type KubeObject, type ObjectMeta } from '../../../kube/object.ts';
import type { VolumeGroupSnapshot, VolumeSnapshot } from '../../../kube/snapshots.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  type ExecutionHook,
  type SnapshotVolume,
} from '../kinds.ts';
import { EVIDENCE_FINALIZER, EXCLUDED_FROM_BACKUP, MADE_FOR } from '../names.ts';
import { identify } from './identify.ts';

/**
 * Builds a hook with our evidence finalizer, which stays until the evidence is stored. Velero restores finalizers, but
 * no owners: a restored hook would never lose that finalizer, and might freeze.
 */
export function hookFor(snapshot: ApplicationSnapshot, index: number): ExecutionHook {
  const { executionHookNames = [], executionHookInfos = [] } = snapshot.status ?? {};
  const metadata = metadataFor(snapshot, executionHookNames[index] ?? '');
  return {
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [EXCLUDED_FROM_BACKUP]: 'true' },
      finalizers: [EVIDENCE_FINALIZER],
    },
    spec: { ...executionHookInfos[index] },
  };
}

export function volumeSnapshotFor(
  snapshot: ApplicationSnapshot,
  { volumeSnapshotName: name = '', claimName, snapshotClassName }: SnapshotVolume,
): VolumeSnapshot {
  return {
    metadata: metadataFor(snapshot, name),
    spec: {
      source: { persistentVolumeClaimName: claimName },
      volumeSnapshotClassName: snapshotClassName,
    },
  };
}

/** Selects the claims by labels alone. Later the group's content shows whether the cut has all planned volumes. */
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

/**
 * Names depend on the snapshot alone, so that a restarted process finds the objects. They contain the snapshot's UID,
 * so that a later snapshot of the same name creates its own objects.
 */

/** Maximum length of the name of an object, in characters. */
const NAME_CHARACTERS_MAX = 253;
/** Longest first part of a name. The rest is "-", eight characters of the UID, "-hook-" and at most two digits. */
const STEM_CHARACTERS_MAX = 200;
const LABEL_CHARACTERS_MAX = 63;
const UID_CHARACTERS = 8;

/** The name of a hook. Example: `nightly-5f0c9a1b-hook-0`. */
export function hookName(snapshot: ApplicationSnapshot, index: number): string {
  return `${stemOf(snapshot)}-hook-${index}`;
}

/**
 * The name of a VolumeSnapshot. Example: `nightly-data-5f0c9a1b`. If that is too long, the index of the volume replaces
 * the name of the claim.
 */
export function volumeSnapshotName(
  snapshot: ApplicationSnapshot,
  claim: string,
  index: number,
): string {
  const name = `${identify(snapshot).name}-${claim}-${uidStart(snapshot)}`;
  return name.length <= NAME_CHARACTERS_MAX ? name : `${stemOf(snapshot)}-${index}`;
}

/** The name of a VolumeGroupSnapshot. Example: `nightly-5f0c9a1b`. */
export function groupSnapshotName(snapshot: ApplicationSnapshot): string {
  return stemOf(snapshot);
}

/** The value of the label MADE_FOR: the snapshot's name, or its UID if the name is too long for a label. */
export function madeForValue(snapshot: ApplicationSnapshot): string {
  const { name, uid } = identify(snapshot);
  return name.length <= LABEL_CHARACTERS_MAX ? name : uid;
}

function stemOf(snapshot: ApplicationSnapshot): string {
  const start = identify(snapshot)
    .name.slice(0, STEM_CHARACTERS_MAX)
    .replace(/[.-]+$/, '');
  return `${start}-${uidStart(snapshot)}`;
}

function uidStart(snapshot: ApplicationSnapshot): string {
  return identify(snapshot).uid.slice(0, UID_CHARACTERS);
}
