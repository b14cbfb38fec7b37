import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleFacts,
  sampleVolume,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { VolumeGroupSnapshot, VolumeGroupSnapshotContent } from '../../../kube/snapshots.ts';
import { cutStateOf, observeVolumes } from './cut.ts';
import type { SnapshotFacts, VolumeFacts } from './facts.ts';

const cut = volumeFacts(sampleVolume('data'), { creationTime: ago(1) });
const of = (...volumes: VolumeFacts[]): SnapshotFacts => sampleFacts({ volumes });

describe('a single snapshot is not cut', () => {
  const { snapshot, content, plan } = cut;
  const other = { ...content?.spec.volumeSnapshotRef, uid: 'another' };

  it.each<[string, VolumeFacts, string]>([
    [
      'while it names no content',
      { ...cut, snapshot: { ...snapshot, status: { creationTime: ago(1) } } },
      'waiting',
    ],
    ['while its content is missing', { ...cut, content: null }, 'waiting'],
    [
      'while its content is bound to another snapshot',
      {
        ...cut,
        content:
          content === null
            ? null
            : { ...content, spec: { ...content.spec, volumeSnapshotRef: other } },
      },
      'waiting',
    ],
    [
      'when another snapshot has its name',
      { ...cut, snapshot: { ...snapshot, metadata: { uid: 'another' } } },
      'broken SnapshotDeleted',
    ],
    [
      'when it is terminating',
      {
        ...cut,
        snapshot: { ...snapshot, metadata: { ...snapshot?.metadata, deletionTimestamp: ago(1) } },
      },
      'broken SnapshotDeleted',
    ],
    [
      'when its content is of another volume',
      { ...cut, plan: { ...plan, volumeHandle: 'meant' } },
      'broken WrongVolume',
    ],
  ])('%s', (_, volume, expected) => {
    const state = cutStateOf(of(volume));
    expect(state.kind === 'broken' ? `broken ${state.reason}` : state.kind).toBe(expected);
  });
});

describe('observeVolumes', () => {
  it('keeps readyToUse after a later error', () => {
    const ready = sampleVolume('data', { readyToUse: true, creationTime: ago(2) });
    const [seen] = observeVolumes(of(volumeFacts(ready, { readyToUse: false })));
    expect(seen).toMatchObject({ cut: true, readyToUse: true, creationTime: ago(2) });
  });

  it('marks a copy annotated as not atomic', () => {
    const { content, ...rest } = cut;
    const annotations = { 'lifehook.dev/atomic': 'false' };
    const copied =
      content === null ? null : { ...content, metadata: { ...content.metadata, annotations } };
    expect(observeVolumes(of({ ...rest, content: copied }))[0]?.atomic).toBe(false);
    expect(observeVolumes(of(cut))[0]?.atomic).toBeUndefined();
  });
});

describe('a group snapshot', () => {
  const group: VolumeGroupSnapshot = {
    metadata: { name: 'g', uid: 'group-1' },
    status: { boundVolumeGroupSnapshotContentName: 'gc', creationTime: ago(1) },
  };
  const content = (parts?: readonly string[]): VolumeGroupSnapshotContent => ({
    metadata: { name: 'gc' },
    spec: {
      volumeGroupSnapshotRef: { uid: 'group-1' },
      deletionPolicy: 'Delete',
      driver: 'fast.example',
      source: { volumeHandles: ['handle-data', 'handle-log'] },
    },
    ...(parts === undefined
      ? {}
      : { status: { volumeSnapshotInfoList: parts.map((volumeHandle) => ({ volumeHandle })) } }),
  });
  const facts = (parts?: readonly string[]): SnapshotFacts => {
    const volumes = ['data', 'log'].map((name) => volumeFacts(sampleVolume(name), null));
    const status = { volumeGroupSnapshotName: 'g', volumeGroupSnapshotUID: 'group-1' };
    return {
      ...sampleFacts({ volumes, status }),
      group: { snapshot: group, content: content(parts) },
    };
  };

  it('is cut before its member snapshots exist (section 5.4)', () => {
    expect(cutStateOf(facts()).kind).toBe('cut');
  });

  it('is not cut while its content is bound to another group snapshot', () => {
    const sample = facts();
    const stranger = {
      ...content(),
      spec: { ...content().spec, volumeGroupSnapshotRef: { uid: 'x' } },
    };
    const state = cutStateOf({ ...sample, group: { snapshot: group, content: stranger } });
    expect(state.kind).toBe('waiting');
  });

  it('case 39: holds only the volumes that its content lists', () => {
    const seen = observeVolumes(facts(['handle-data']));
    expect(seen.map(({ claimName, cut: holds }) => [claimName, holds])).toEqual([
      ['data', true],
      ['log', false],
    ]);
  });
});
