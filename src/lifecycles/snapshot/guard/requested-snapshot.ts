/** The snapshot that a request creates: the fields that the webhook of the guards needs. Pure. */
import type { AdmissionRequest } from '../../../controller/admission/admission-review.ts';
import { controllerOf } from '../../../controller/indexes.ts';
import { textAt } from '../../../kube/fields.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { VolumeGroupSnapshot, VolumeSnapshot } from '../../../kube/snapshots.ts';
import type { AdmittedObject } from '../kinds.ts';

export interface RequestedSnapshot {
  readonly kind: AdmittedObject['kind'];
  readonly namespace: string;
  /** The final name: a validating webhook sees a generated name. */
  readonly name: string;
  /** The UID that the created object will have. */
  readonly uid: string;
  /** The API version of its kind, such as `v1`. */
  readonly version: string;
  readonly source: RequestedSource;
  /** Name of its class; '' if it names none. */
  readonly className: string;
  /** The name and UID of the ApplicationSnapshot that controls it; null: none. */
  readonly owner: Owner | null;
  /** The VolumeGroupSnapshot that it names as its owner; null: it names none. */
  readonly group: (Owner & { readonly version: string }) | null;
}

interface Owner {
  readonly name: string;
  readonly uid: string;
}

export type RequestedSource =
  | { readonly kind: 'claim'; readonly name: string }
  | { readonly kind: 'labels'; readonly matchLabels: Readonly<Record<string, string>> };

/** null: the request creates no snapshot, or nothing is cut for it (SNAP-W7). */
export function requestedSnapshot(request: AdmissionRequest): RequestedSnapshot | null {
  const { kind, object, namespace = '' } = request;
  if (object === null || !isCreation(request)) return null;
  const found = FOUND[`${kind.group}/${kind.kind}`]?.(object);
  if (found === undefined || found.source === null) return null;
  return {
    ...found,
    source: found.source,
    namespace,
    name: textAt(object, 'metadata', 'name'),
    uid: textAt(object, 'metadata', 'uid'),
    version: textAt(object, 'apiVersion').split('/').at(-1) ?? '',
    owner: ownerOf(object),
    group: groupOf(object),
  };
}

/** A dry run stores nothing, so nothing is frozen for it. */
function isCreation({ operation, dryRun = false, subResource = '' }: AdmissionRequest): boolean {
  return operation === 'CREATE' && !dryRun && subResource === '';
}

const OURS = 'lifehook.dev/';

function ownerOf(object: KubeObject): RequestedSnapshot['owner'] {
  const owner = controllerOf(object);
  if (owner?.kind !== 'ApplicationSnapshot' || !owner.apiVersion.startsWith(OURS)) return null;
  return { name: owner.name, uid: owner.uid };
}

const GROUPS = 'groupsnapshot.storage.k8s.io';

function groupOf({ metadata }: KubeObject): RequestedSnapshot['group'] {
  for (const { apiVersion, kind, name, uid } of metadata?.ownerReferences ?? []) {
    const [group, version = ''] = apiVersion.split('/');
    if (kind === 'VolumeGroupSnapshot' && group === GROUPS) return { name, uid, version };
  }
  return null;
}

type Found = Pick<RequestedSnapshot, 'kind' | 'className'> & {
  readonly source: RequestedSource | null;
};

const FOUND: Readonly<Record<string, (object: KubeObject) => Found>> = {
  'snapshot.storage.k8s.io/VolumeSnapshot': ({ spec }: VolumeSnapshot) => {
    const { persistentVolumeClaimName: name } = spec?.source ?? {};
    return {
      kind: 'VolumeSnapshot',
      className: spec?.volumeSnapshotClassName ?? '',
      source: name === undefined ? null : { kind: 'claim', name },
    };
  },
  [`${GROUPS}/VolumeGroupSnapshot`]: ({ spec }: VolumeGroupSnapshot) => {
    const { selector } = spec?.source ?? {};
    const matchLabels = selector?.matchLabels ?? {};
    return {
      kind: 'VolumeGroupSnapshot',
      className: spec?.volumeGroupSnapshotClassName ?? '',
      source: selector === undefined ? null : { kind: 'labels', matchLabels },
    };
  },
};
