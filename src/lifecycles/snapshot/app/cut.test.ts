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
  const { snapshot, plan } = cut;

  it.each<[string, VolumeFacts, string]>([
    ['while its content is missing', { ...cut, content: null }, 'waiting'],
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
    [
      'when it alone has a creationTime, and its content has none',
      { ...volumeFacts(sampleVolume('data'), {}), snapshot },
      'waiting',
    ],
  ])('%s', (_, volume, expected) => {
    const state = cutStateOf(of(volume));
    expect(state.kind === 'broken' ? `broken ${state.reason}` : state.kind).toBe(expected);
  });
});

describe('a single snapshot is cut', () => {
  it('when its content has a creationTime, before it names the content or has a status', () => {
    const { snapshot } = cut;
    const state = cutStateOf(of({ ...cut, snapshot: { metadata: { ...snapshot?.metadata } } }));
    expect(state).toMatchObject({ kind: 'cut', volumes: [{ creationTime: ago(1) }] });
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
  };
  const content = (parts?: readonly string[]): VolumeGroupSnapshotContent => ({
    metadata: { name: 'gc' },
    spec: {
      volumeGroupSnapshotRef: { uid: 'group-1' },
      deletionPolicy: 'Delete',
      driver: 'fast.example',
      source: { volumeHandles: ['handle-data', 'handle-log'] },
    },
    status: {
      creationTime: ago(1),
      ...(parts === undefined
        ? {}
        : { volumeSnapshotInfoList: parts.map((volumeHandle) => ({ volumeHandle })) }),
    },
  });
  const facts = (parts?: readonly string[]): SnapshotFacts => {
    const volumes = ['data', 'log'].map((name) => volumeFacts(sampleVolume(name), null));
    const status = { volumeGroupSnapshotName: 'g', volumeGroupSnapshotUID: 'group-1' };
    return {
      ...sampleFacts({ volumes, status }),
      group: { snapshot: group, content: content(parts) },
    };
  };

  it('is cut when its content is, before it has a status or member snapshots (SNAP-R35)', () => {
    expect(cutStateOf(facts())).toMatchObject({
      kind: 'cut',
      volumes: [{ creationTime: ago(1) }, { creationTime: ago(1) }],
    });
  });

  it('is not cut while its content has no creationTime, whatever its own status says', () => {
    const reported = { ...group, status: { creationTime: ago(1), readyToUse: true } };
    const uncut = { ...content(), status: {} };
    const state = cutStateOf({ ...facts(), group: { snapshot: reported, content: uncut } });
    expect(state.kind).toBe('waiting');
  });

  it('SNAP-CASE39: holds only the volumes that its content lists', () => {
    const seen = observeVolumes(facts(['handle-data']));
    expect(seen.map(({ claimName, cut: holds }) => [claimName, holds])).toEqual([
      ['data', true],
      ['log', false],
    ]);
  });
});
