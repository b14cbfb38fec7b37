/** The VolumeSnapshotContents of the simulation: how they are created, and how their status is set and copied. */
import {
  ATOMIC,
  contents,
  groupContents,
  groupSnapshots,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshotContent,
} from '../../../src/kube/snapshots.ts';
import type { JsonObject, ObjectKey, Resource } from '../../../src/kube/object.ts';
import type { SimApi } from '../controller/sim-api.ts';
import { NAMESPACE } from './sim-cluster.ts';
import { handleOf, merge } from './snapshot-members.ts';

/** Behaviour of the storage for an object to be cut. */
export type StorageKind =
  | 'usual'
  | 'late'
  | 'silent'
  | 'failsFirst'
  | 'early'
  | 'lostContent'
  | 'neverReady';

export interface Cut {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly contentName: string;
  readonly claims: readonly string[];
  /** The claims that the storage really cuts. It may omit one claim of a group. */
  readonly claimsCut: readonly string[];
  /** True if the storage copies file by file. */
  readonly isCopied: boolean;
}

export function contentKindOf({ kind }: Resource): Resource {
  return kind === groupSnapshots.kind ? groupContents : contents;
}

export function makeContent(api: SimApi, { resource, key, uid, contentName, claims }: Cut): void {
  const given = { name: contentName, deletionPolicy: 'Delete', driver: 'sim' } as const;
  const ref = { namespace: NAMESPACE, name: key.name, uid };
  api.create(contentKindOf(resource), contentFor(resource, { ...given, ref, claims }));
}

/** Creates the content of an earlier snapshot that had the same name and was cut long ago. */
export function makeStranger(api: SimApi, { resource, key, contentName, claims }: Cut): void {
  const name = `earlier-${contentName}`;
  if (api.find(contentKindOf(resource), { name }) !== undefined) return;
  const ref = { namespace: NAMESPACE, name: key.name, uid: `earlier-${key.name}` };
  const content = contentFor(resource, {
    name,
    deletionPolicy: 'Retain',
    driver: 'sim',
    ref,
    claims,
  });
  const creationTime = isOfGroup(resource) ? '2025-12-31T00:00:00Z' : LONG_AGO_NS;
  const made = { ...content, status: { creationTime, readyToUse: true } };
  api.create(contentKindOf(resource), made);
}

const LONG_AGO_NS = 1_767_000_000_000_000_000;

interface Given {
  readonly name: string;
  readonly deletionPolicy: 'Delete' | 'Retain';
  readonly driver: string;
  readonly ref: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly claims: readonly string[];
}

function contentFor(
  resource: Resource,
  { name, ref, claims, ...common }: Given,
): VolumeSnapshotContent | VolumeGroupSnapshotContent {
  const metadata = { name };
  if (isOfGroup(resource)) {
    const source = { volumeHandles: claims.map(handleOf) };
    return { metadata, spec: { ...common, volumeGroupSnapshotRef: ref, source } };
  }
  const source = { volumeHandle: handleOf(claims[0] ?? '') };
  return { metadata, spec: { ...common, volumeSnapshotRef: ref, source } };
}

/** The status of a content when the storage has answered. */
export function cutStatusOf({ resource, claimsCut, uid }: Cut, atMs: number): JsonObject {
  const parts = claimsCut.map((claim) => ({
    volumeHandle: handleOf(claim),
    snapshotHandle: `cut-${claim}-${uid}`,
  }));
  if (!isOfGroup(resource)) {
    const snapshotHandle = parts[0]?.snapshotHandle ?? '';
    return { readyToUse: false, creationTime: atMs * 1_000_000, snapshotHandle };
  }
  return {
    readyToUse: false,
    creationTime: new Date(atMs).toISOString(),
    volumeGroupSnapshotHandle: `cut-${uid}`,
    volumeSnapshotInfoList: parts,
  };
}

/** Annotations that the storage sets for an unusual kind of cut; empty for the usual kind. */
export function marksOf({ isCopied }: Cut): JsonObject {
  return isCopied ? { metadata: { annotations: { [ATOMIC]: 'false' } } } : {};
}

/** Copies the status of the content to the snapshot. If the content was deleted, the snapshot keeps its status. */
export function copyStatus(api: SimApi, { resource, key, contentName }: Cut): void {
  const content = api.find(contentKindOf(resource), { name: contentName });
  if (content === undefined) return;
  const { creationTime, readyToUse = false, error } = (content.status ?? {}) as Reported;
  const bound = isOfGroup(resource)
    ? 'boundVolumeGroupSnapshotContentName'
    : 'boundVolumeSnapshotContentName';
  const status = {
    [bound]: contentName,
    readyToUse,
    ...(creationTime === undefined ? {} : { creationTime: textOf(creationTime) }),
    ...(error?.message === undefined ? {} : { error: { message: error.message } }),
  };
  api.patch(resource, key, merge({ status }));
}

type Reported = NonNullable<VolumeGroupSnapshotContent['status'] | VolumeSnapshotContent['status']>;

function textOf(creationTime: string | number): string {
  if (typeof creationTime === 'string') return creationTime;
  return new Date(creationTime / 1_000_000).toISOString();
}

function isOfGroup({ kind }: Resource): boolean {
  return kind === groupSnapshots.kind;
}
