import { describe, expect, it } from 'vitest';

import { sampleContent } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type {
  VolumeGroupSnapshotContent,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import { membersOf } from './content-of.ts';

const GROUP: VolumeGroupSnapshotContent = {
  metadata: { name: 'group-content' },
  spec: {
    volumeGroupSnapshotRef: { name: 'all', namespace: 'shop', uid: 'g' },
    deletionPolicy: 'Delete',
    driver: 'fast.example',
    source: {},
  },
  status: { volumeSnapshotInfoList: [{ volumeHandle: 'v', snapshotHandle: 'part' }] },
};

const member = (uid: string, more: Partial<VolumeSnapshot> = {}): VolumeSnapshot => ({
  metadata: { name: `snapshot-${uid}`, namespace: 'shop', uid },
  spec: { source: { persistentVolumeClaimName: 'data' } },
  status: { boundVolumeSnapshotContentName: `content-${uid}` },
  ...more,
});

function contentOf(uid: string, snapshotHandle: string | undefined): VolumeSnapshotContent {
  const content = sampleContent(`content-${uid}`, { name: `snapshot-${uid}`, uid, handle: 'v' });
  return snapshotHandle === undefined ? content : { ...content, status: { snapshotHandle } };
}

function found(
  object: VolumeSnapshot,
  content: VolumeSnapshotContent | undefined,
  group: VolumeGroupSnapshotContent | null = GROUP,
): readonly string[] {
  const caches = {
    snapshots: { byIndex: () => [object] },
    contents: { get: (name: string) => (content?.metadata?.name === name ? content : undefined) },
  };
  return membersOf(caches as never, { uid: 'g', content: group }).map(({ handle }) => handle);
}

describe('the members of a group', () => {
  it('have contents with the parts of the group (SNAP-W7)', () => {
    expect(found(member('m'), contentOf('m', 'part'))).toEqual(['part']);
    const source = { snapshotHandle: 'part' };
    const imported = contentOf('m', undefined);
    expect(found(member('m'), { ...imported, spec: { ...imported.spec, source } })).toEqual([
      'part',
    ]);
    const spec = { source: { volumeSnapshotContentName: 'content-m' } };
    expect(found(member('m', { spec, status: {} }), contentOf('m', 'part'))).toEqual(['part']);
  });

  it('are no snapshots that only name the group as their owner (SNAP-W7)', () => {
    expect(found(member('m'), contentOf('m', 'another cut'))).toEqual([]);
    expect(found(member('m'), contentOf('m', undefined))).toEqual([]);
    expect(found(member('m'), undefined)).toEqual([]);
    const ofAnother = { ...contentOf('x', 'part'), metadata: { name: 'content-m' } };
    expect(found(member('m'), ofAnother)).toEqual([]);
  });

  it('are unknown until the group reports its parts', () => {
    expect(found(member('m'), contentOf('m', 'part'), null)).toEqual([]);
    expect(found(member('m'), contentOf('m', 'part'), { ...GROUP, status: {} })).toEqual([]);
  });
});
