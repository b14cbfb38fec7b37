/**
 * Creates and deletes the member snapshots of a group.
 *
 * Each member has a content that refers to its part of the group's cut. Members are created after the cut, and deleted
 * with the group. Their names are derived from the uids of group and claim.
 */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../../../src/kube/client.ts';
import { createOrGet } from '../../../../../src/kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../../../../src/kube/object.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';
import {
  contents,
  type SnapshotInfo,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { CONTENT_BOUND, DRIVER, SNAPSHOT_BOUND, MARKS } from '../context.ts';
import { handleOf } from '../single/decide-snapshot.ts';
import type { Member } from './decide-group.ts';

export interface MemberFacts {
  readonly client: KubeClient;
  readonly group: VolumeGroupSnapshot;
  readonly content: VolumeGroupSnapshotContent;
}

export async function makeMembers(facts: MemberFacts, members: readonly Member[]): Promise<void> {
  for (const info of facts.content.status?.volumeSnapshotInfoList ?? []) {
    const member = members.find(
      ({ volume }) => volume !== null && handleOf(volume) === info.volumeHandle,
    );
    if (member !== undefined) await makeMember(facts, member, info);
  }
}

async function makeMember(
  facts: MemberFacts,
  { claim }: Member,
  info: SnapshotInfo,
): Promise<void> {
  const { client, group } = facts;
  const id = [group, claim].map(({ metadata }) => metadata?.uid ?? '').join('-');
  const snapshot = await ensure(client, snapshots, snapshotFor(facts, { id, claim }));
  if (snapshot === null) return;
  const made = await ensure(client, contents, contentFor(facts, { id, snapshot, info }));
  if (made === null) return;
  await reportContent(facts, made, info);
  const { name: volumeGroupSnapshotName = '', namespace = '' } = group.metadata ?? {};
  const creationTime = timeText((info.creationTime ?? 0) / 1e6);
  const key = { namespace, name: `snapshot-${id}` };
  const boundVolumeSnapshotContentName = made.metadata?.name ?? '';
  const status = { volumeGroupSnapshotName, creationTime, boundVolumeSnapshotContentName };
  const body = { status };
  await client.patch(snapshots, key, { type: 'merge', subresource: 'status', body });
}

async function reportContent(
  { client, content }: MemberFacts,
  made: VolumeSnapshotContent,
  { volumeHandle: _source, ...known }: SnapshotInfo,
): Promise<void> {
  if (made.status?.volumeGroupSnapshotHandle !== undefined) return;
  const volumeGroupSnapshotHandle = content.status?.volumeGroupSnapshotHandle ?? '';
  const status = { ...known, volumeGroupSnapshotHandle };
  await client.replaceStatus(contents, { ...made, status });
}

function snapshotFor(
  { group, content }: MemberFacts,
  { id, claim }: { readonly id: string; readonly claim: PersistentVolumeClaim },
): VolumeSnapshot {
  const { uid = '', name = '', namespace = '' } = group.metadata ?? {};
  const apiVersion = 'groupsnapshot.storage.k8s.io/v1';
  return {
    metadata: {
      name: `snapshot-${id}`,
      namespace,
      annotations: marksOf(content),
      finalizers: [SNAPSHOT_BOUND],
      ownerReferences: [{ apiVersion, kind: 'VolumeGroupSnapshot', name, uid }],
    },
    spec: { source: { persistentVolumeClaimName: claim.metadata?.name ?? '' } },
  };
}

interface Making {
  readonly id: string;
  readonly snapshot: VolumeSnapshot;
  readonly info: SnapshotInfo;
}

function contentFor(
  { content }: MemberFacts,
  { id, snapshot, info }: Making,
): VolumeSnapshotContent {
  const { name = '', namespace = '', uid = '' } = snapshot.metadata ?? {};
  const apiVersion = 'snapshot.storage.k8s.io/v1';
  return {
    metadata: {
      name: `snapcontent-${id}`,
      annotations: marksOf(content),
      finalizers: [CONTENT_BOUND],
    },
    spec: {
      volumeSnapshotRef: { apiVersion, kind: 'VolumeSnapshot', name, namespace, uid },
      deletionPolicy: content.spec.deletionPolicy,
      driver: DRIVER,
      source: { snapshotHandle: info.snapshotHandle ?? '' },
      sourceVolumeMode: 'Filesystem',
    },
  };
}

function marksOf({ metadata }: VolumeGroupSnapshotContent): Record<string, string> {
  const entries = MARKS.map((mark) => [mark, metadata?.annotations?.[mark] ?? '']);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Creates the object if it is missing; returns null if it is terminating. */
async function ensure<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<T | null> {
  const known = await createOrGet(client, resource, object);
  return known.metadata?.deletionTimestamp === undefined ? known : null;
}
