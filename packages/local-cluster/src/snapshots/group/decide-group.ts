/** Decides the next step of a VolumeGroupSnapshot. Pure. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import {
  type SnapshotClass,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { DRIVER } from '../context.ts';
import { handleOf, whyNotOurs } from '../single/decide-snapshot.ts';

export interface Member {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume | null;
}

export interface GroupFacts {
  readonly group: VolumeGroupSnapshot;
  readonly groupClass: SnapshotClass | undefined;
  /** The claims that the group's labels select, ordered by name. */
  readonly members: readonly Member[];
  readonly content: VolumeGroupSnapshotContent | null;
}

export type GroupStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'createContent'; readonly content: VolumeGroupSnapshotContent }
  | { readonly kind: 'report'; readonly content: VolumeGroupSnapshotContent }
  | { readonly kind: 'deleteContent'; readonly content: VolumeGroupSnapshotContent }
  | { readonly kind: 'waitForContent' }
  | { readonly kind: 'release' };

export function decideGroup(facts: GroupFacts): GroupStep {
  const { group, content } = facts;
  if (group.metadata?.deletionTimestamp !== undefined) return decideEnd(content);
  if (content === null) return decideNew(facts);
  if (content.spec.driver !== DRIVER) return { kind: 'nothing' };
  if (content.spec.volumeGroupSnapshotRef.uid === group.metadata?.uid) {
    return { kind: 'report', content };
  }
  return {
    kind: 'fail',
    message: `VolumeGroupSnapshotContent ${content.metadata?.name ?? ''} belongs to another group snapshot`,
  };
}

function decideEnd(content: VolumeGroupSnapshotContent | null): GroupStep {
  if (content === null || content.spec.deletionPolicy === 'Retain') return { kind: 'release' };
  if (content.spec.driver !== DRIVER) return { kind: 'nothing' };
  if (content.metadata?.deletionTimestamp !== undefined) return { kind: 'waitForContent' };
  return { kind: 'deleteContent', content };
}

function decideNew(facts: GroupFacts): GroupStep {
  const { group, groupClass, members } = facts;
  if (groupClass !== undefined && groupClass.driver !== DRIVER) return { kind: 'nothing' };
  const message = whyNoClass(facts) ?? whyNoSelector(group) ?? whyNoMembers(members);
  if (message !== null) return { kind: 'fail', message };
  return groupClass === undefined
    ? { kind: 'nothing' }
    : { kind: 'createContent', content: contentFor(group, groupClass, members) };
}

function whyNoClass({ group, groupClass }: GroupFacts): string | null {
  if (groupClass !== undefined) return null;
  const name = group.spec?.volumeGroupSnapshotClassName;
  if (name !== undefined) return `VolumeGroupSnapshotClass ${name} does not exist`;
  return `it names no VolumeGroupSnapshotClass, and no class of driver ${DRIVER} is the default`;
}

/** Refuses matchExpressions: other drivers silently ignore them, and would cut volumes that the user did not select. */
function whyNoSelector({ spec }: VolumeGroupSnapshot): string | null {
  const { selector = {}, volumeGroupSnapshotContentName } = spec?.source ?? {};
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (volumeGroupSnapshotContentName !== undefined) {
    return `VolumeGroupSnapshotContent ${volumeGroupSnapshotContentName} does not exist`;
  }
  if (matchExpressions.length > 0) {
    return 'selector.matchExpressions is not supported: select claims by matchLabels alone';
  }
  return Object.keys(matchLabels).length === 0 ? 'selector.matchLabels must not be empty' : null;
}

function whyNoMembers(members: readonly Member[]): string | null {
  if (members.length === 0) return 'no claim has the labels of the selector';
  for (const { claim, volume } of members) {
    const why = whyNoMember(claim, volume);
    if (why !== null) return `claim ${claim.metadata?.name ?? ''}: ${why}`;
  }
  return null;
}

function whyNoMember(
  { metadata, status }: PersistentVolumeClaim,
  volume: PersistentVolume | null,
): string | null {
  if (metadata?.deletionTimestamp !== undefined) return 'it is being deleted';
  if (status?.phase !== 'Bound' || volume === null) return 'it is not bound to a volume';
  return whyNotOurs(volume);
}

export function groupContentName({ metadata, spec }: VolumeGroupSnapshot): string {
  return spec?.source?.volumeGroupSnapshotContentName ?? `groupsnapcontent-${metadata?.uid ?? ''}`;
}

function contentFor(
  group: VolumeGroupSnapshot,
  { metadata, deletionPolicy }: SnapshotClass,
  members: readonly Member[],
): VolumeGroupSnapshotContent {
  const { name = '', namespace = '', uid = '' } = group.metadata ?? {};
  const apiVersion = 'groupsnapshot.storage.k8s.io/v1';
  const kind = 'VolumeGroupSnapshot';
  return {
    metadata: { name: groupContentName(group) },
    spec: {
      volumeGroupSnapshotRef: { apiVersion, kind, name, namespace, uid },
      deletionPolicy,
      driver: DRIVER,
      volumeGroupSnapshotClassName: metadata?.name ?? '',
      source: {
        volumeHandles: members.flatMap(({ volume }) => (volume === null ? [] : handleOf(volume))),
      },
    },
  };
}
