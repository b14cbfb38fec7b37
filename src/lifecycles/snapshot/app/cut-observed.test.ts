/** The observed state of volume snapshots: whether they are cut, of which volume, and since when. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleFacts,
  sampleVolume,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { VolumeGroupSnapshotContent } from '../../../kube/snapshots.ts';
import type { SnapshotVolume } from '../kinds.ts';
import { cutStateOf, observeVolumes } from './cut.ts';
import type { GroupFacts, VolumeFacts } from './facts.ts';

const reported = (volume: VolumeFacts): unknown => {
  const state = cutStateOf(sampleFacts({ volumes: [volume] }));
  return 'message' in state ? state.message : state.kind;
};
const seen = (volume: VolumeFacts, group: GroupFacts | null = null): SnapshotVolume | undefined =>
  observeVolumes({ ...sampleFacts({ volumes: [volume] }), group })[0];
const data = sampleVolume('data');
const cut = volumeFacts(data, { creationTime: ago(1) });

describe('a snapshot that is not cut reports', () => {
  it('the error of its content, where the snapshot itself has none', () => {
    const { snapshot, content } = volumeFacts(data, {});
    const failing =
      content === null ? null : { ...content, status: { error: { message: 'full' } } };
    expect(reported({ plan: data, snapshot, content: failing })).toBe(
      'VolumeSnapshot nightly-data has no creationTime in its content yet (the snapshotter says: full)',
    );
  });

  it('the error of the snapshot, while there is no content', () => {
    const { snapshot } = volumeFacts(data, { error: { message: 'no class' } });
    expect(reported({ plan: data, snapshot, content: null })).toBe(
      'VolumeSnapshot nightly-data has no content yet (the snapshotter says: no class)',
    );
  });

  it('no error that has no message', () => {
    expect(reported(volumeFacts(data, { error: {} }))).toBe(
      'VolumeSnapshot nightly-data has no creationTime in its content yet',
    );
  });

  it('SNAP-I12: that it is of another volume than planned', () => {
    expect(reported({ ...cut, plan: { ...data, volumeHandle: 'meant' } })).toBe(
      'VolumeSnapshot nightly-data is a snapshot of volume handle-data, not of meant',
    );
  });

  it('the missing cut before a wrong volume, which the driver may still correct', () => {
    const uncut = volumeFacts(data, {});
    expect(reported({ ...uncut, plan: { ...data, volumeHandle: 'meant' } })).toBe(
      'VolumeSnapshot nightly-data has no creationTime in its content yet',
    );
  });

  it('no wrong volume where its content names none', () => {
    const { content } = cut;
    const unnamed = content === null ? null : { ...content, spec: { ...content.spec, source: {} } };
    expect(reported({ ...cut, content: unnamed })).toBe('cut');
  });
});

describe('what is kept of a single snapshot', () => {
  it('is its cut, with its time', () => {
    expect(seen(cut)).toEqual({ ...data, cut: true, creationTime: ago(1) });
    expect(Object.keys(seen(volumeFacts(data, {})) ?? {})).not.toContain('creationTime');
    expect(Object.keys(seen(cut) ?? {})).not.toContain('readyToUse');
  });

  it('is whether it is ready', () => {
    expect(seen(volumeFacts(data, { readyToUse: true }))?.readyToUse).toBe(true);
    expect(seen(volumeFacts(data, { readyToUse: false }))?.readyToUse).toBe(false);
  });

  it.each([
    [{}, {}],
    [{ 'lifehook.dev/atomic': 'maybe' }, {}],
    [{ 'lifehook.dev/atomic': 'true' }, { atomic: true }],
    [
      { 'lifehook.dev/atomic': 'false', 'lifehook.dev/atomic-reason': `${'r'.repeat(256)}end` },
      { atomic: false, atomicReason: 'r'.repeat(256) },
    ],
    [
      { 'lifehook.dev/atomic': 'false', 'lifehook.dev/atomic-reason': `${'r'.repeat(255)}😀` },
      { atomic: false, atomicReason: 'r'.repeat(255) },
    ],
  ])('is what the snapshotter annotates of its moment: %j', (annotations, expected) => {
    const { content } = cut;
    const annotated =
      content === null ? null : { ...content, metadata: { ...content.metadata, annotations } };
    const { atomic, atomicReason } = seen({ ...cut, content: annotated }) ?? {};
    expect({ atomic, atomicReason }).toEqual({
      atomic: undefined,
      atomicReason: undefined,
      ...expected,
    });
  });
});

describe('what is kept of a member of a group', () => {
  const { volumeSnapshotName: _name, volumeSnapshotUID: _uid, ...plan } = data;
  const member: VolumeFacts = { plan, snapshot: null, content: null };
  const content = (
    volumeHandles: string[] | undefined,
    status: NonNullable<VolumeGroupSnapshotContent['status']>,
  ): VolumeGroupSnapshotContent => ({
    metadata: { name: 'gc' },
    spec: {
      volumeGroupSnapshotRef: { uid: 'group-1' },
      deletionPolicy: 'Delete',
      driver: 'fast.example',
      source: volumeHandles === undefined ? {} : { volumeHandles },
    },
    status,
  });
  const group = (groupContent: VolumeGroupSnapshotContent | null): GroupFacts => ({
    snapshot: { metadata: { uid: 'group-1' }, status: { creationTime: ago(2) } },
    content: groupContent,
  });

  it('is the cut of the group, with the time of its content', () => {
    const found = group(content(['handle-data'], { creationTime: ago(1) }));
    expect(seen(member, found)).toEqual({ ...plan, cut: true, creationTime: ago(1) });
  });

  it('is the time of the group where its content has none', () => {
    expect(seen(member, group(content(['handle-data'], {})))).toMatchObject({
      creationTime: ago(2),
    });
  });

  it('SNAP-CASE39: is no time where the cut lacks its volume', () => {
    const lacking = { ...plan, cut: false };
    expect(seen(member, group(content(['other'], { creationTime: ago(1) })))).toEqual(lacking);
    expect(seen(member, group(content(undefined, { creationTime: ago(1) })))).toEqual(lacking);
    expect(seen(member, group(null))).toEqual(lacking);
  });

  it('is no time while no content has reported one', () => {
    const timeless = { ...group(content(['handle-data'], {})), snapshot: null };
    expect(Object.keys(seen(member, timeless) ?? {})).not.toContain('creationTime');
  });

  it('is the name and the UID of its VolumeSnapshot, once it is there', () => {
    const snapshot = { metadata: { name: 'made-1', uid: 'vs-1' }, status: { readyToUse: true } };
    const found = group(content(['handle-data'], { creationTime: ago(1) }));
    expect(seen({ ...member, snapshot }, found)).toEqual({
      ...plan,
      cut: true,
      creationTime: ago(1),
      readyToUse: true,
      volumeSnapshotName: 'made-1',
      volumeSnapshotUID: 'vs-1',
    });
    expect(Object.keys(seen(member, found) ?? {})).not.toContain('volumeSnapshotName');
    expect(Object.keys(seen(member, found) ?? {})).not.toContain('volumeSnapshotUID');
  });
});
