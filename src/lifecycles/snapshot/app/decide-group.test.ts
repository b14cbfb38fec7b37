/** Snapshots of several volumes: one VolumeGroupSnapshot, or one VolumeSnapshot each. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleFacts,
  sampleVolume,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import type { VolumeGroupSnapshot, VolumeGroupSnapshotContent } from '../../../kube/snapshots.ts';
import type { ApplicationSnapshotStatus } from '../kinds.ts';
import { decide } from './decide.ts';
import type { GroupFacts, SnapshotFacts } from './facts.ts';
import type { Step } from './step.ts';

const owner = { apiVersion: 'v1', kind: 'K', name: 'nightly', uid: 'aaaaaaaa-0000' };
const group = (more: Partial<VolumeGroupSnapshot> = {}): VolumeGroupSnapshot => ({
  metadata: { name: 'g', namespace: 'shop', uid: 'group-1', ownerReferences: [owner] },
  ...more,
});
const content = (volumeHandles: string[], creationTime?: string): VolumeGroupSnapshotContent => ({
  metadata: { name: 'gc' },
  spec: {
    volumeGroupSnapshotRef: { uid: 'group-1' },
    deletionPolicy: 'Delete',
    driver: 'fast.example',
    source: { volumeHandles },
  },
  status: creationTime === undefined ? {} : { creationTime },
});

const after = { cutRequestedAt: ago(5), cutObservedAt: ago(1), phase: 'Finishing' } as const;
const member = (name: string, more: Parameters<typeof sampleVolume>[1] = {}) => {
  const { volumeSnapshotName: _name, volumeSnapshotUID: _uid, ...plan } = sampleVolume(name, more);
  return volumeFacts(plan, null);
};
const groupFacts = (
  status: ApplicationSnapshotStatus,
  facts: Partial<GroupFacts>,
  volumes = [member('data')],
): SnapshotFacts => ({
  ...sampleFacts({ volumes, status: { volumeGroupSnapshotName: 'g', ...status } }),
  group: { snapshot: group(), content: null, ...facts },
});
const made = { volumeGroupSnapshotUID: 'group-1' };

describe('a snapshot of a group', () => {
  const asked = { cutRequestedAt: ago(5) };

  it('SNAP-I12: creates its VolumeGroupSnapshot if its UID is not recorded', () => {
    expect(decide(groupFacts(asked, { snapshot: null }))).toEqual({ kind: 'makeSnapshots' });
  });

  it('SNAP-R33: waits for the cut of the group, and names it', () => {
    const uncut = { content: content(['handle-data']) };
    expect(decide(groupFacts({ ...asked, ...made }, uncut))).toEqual({
      kind: 'waitFor',
      ms: 55_000,
      reason: 'VolumeGroupSnapshot g has no creationTime in its content yet',
    });
    const cut = { content: content(['handle-data'], ago(1)) };
    expect(stepText(decide(groupFacts({ ...asked, ...made }, cut)))).toBe('recordCut');
  });

  it('waits for its content before it is created', () => {
    expect(decide(groupFacts({ ...asked, ...made }, {}))).toMatchObject({
      reason: 'VolumeGroupSnapshot g has no content yet',
    });
  });

  it('SNAP-CASE31: waits for readyToUse where the class requires it', () => {
    const volumes = [member('data', { cutSignal: 'readyToUse' })];
    const cut = { content: content(['handle-data'], ago(1)) };
    expect(decide(groupFacts({ ...asked, ...made }, cut, volumes))).toMatchObject({
      reason: 'VolumeGroupSnapshot g has no readyToUse in its content yet',
    });
  });

  const seen = { creationTime: ago(1) };
  const cutMember = (name: string, more: object) => member(name, { cut: true, ...seen, ...more });
  const decided = (ready: boolean, volumes: ReturnType<typeof member>[]): Step =>
    decide(
      groupFacts(
        { ...after, ...made },
        {
          snapshot: group({ status: { readyToUse: ready } }),
          content: content(['handle-data'], ago(1)),
        },
        volumes,
      ),
    );

  it('waits with the verdict until the group and each member are ready', () => {
    const ready = cutMember('data', { readyToUse: true });
    expect(decided(false, [ready])).toEqual({
      kind: 'wait',
      reason: '0 of 1 snapshots are not ready',
    });
    expect(decided(true, [cutMember('data', {})])).toEqual({
      kind: 'wait',
      reason: '1 of 1 snapshots are not ready',
    });
    expect(decided(true, [ready])).toEqual({ kind: 'judge' });
  });

  it('SNAP-CASE39: does not wait for a volume that the cut lacks', () => {
    const lacking = member('log', { cut: false, ...seen });
    const { creationTime: _, ...plan } = lacking.plan;
    const volumes = [cutMember('data', { readyToUse: true }), { ...lacking, plan }];
    expect(decided(true, volumes)).toEqual({ kind: 'judge' });
  });

  it.each<[string, VolumeGroupSnapshot | null]>([
    ['is deleted', null],
    ['terminates', group({ metadata: { uid: 'group-1', deletionTimestamp: ago(1) } })],
    ['is replaced', group({ metadata: { uid: 'group-2' } })],
  ])('fails if its VolumeGroupSnapshot %s before the verdict', (_, snapshot) => {
    expect(decide(groupFacts({ ...after, ...made }, { snapshot }))).toEqual({
      kind: 'fail',
      reason: 'SnapshotDeleted',
      message: 'the VolumeGroupSnapshot was deleted',
    });
  });
});

describe('a snapshot of several volumes', () => {
  const { volumeSnapshotUID: _, ...unmade } = sampleVolume('log');
  const cut = { creationTime: ago(1) };

  it('SNAP-I12: creates those VolumeSnapshots whose UIDs are not recorded, and only for those', () => {
    const volumes = [volumeFacts(sampleVolume('data'), {}), volumeFacts(unmade, null)];
    const status = { cutRequestedAt: ago(5) };
    expect(decide(sampleFacts({ status, volumes }))).toEqual({ kind: 'makeSnapshots' });
    const late = decide(sampleFacts({ status: { cutRequestedAt: ago(61) }, volumes }));
    expect(late).toMatchObject({
      message:
        'the volumes were not cut within 60 s: VolumeSnapshot nightly-data has no creationTime in its content yet; VolumeSnapshot nightly-log is not created yet',
    });
  });

  it('records what it learns of its VolumeSnapshots after the cut', () => {
    const known = sampleVolume('data', { cut: true, ...cut });
    const volumes = [volumeFacts(known, { ...cut, readyToUse: true })];
    expect(decide(sampleFacts({ status: after, volumes }))).toEqual({
      kind: 'recordVolumes',
      volumes: [{ ...known, readyToUse: true }],
    });
  });

  it('waits with the verdict until all are ready', () => {
    const ready = sampleVolume('data', { cut: true, ...cut, readyToUse: true });
    const log = sampleVolume('log', { cut: true, ...cut, readyToUse: false });
    const volumes = [
      volumeFacts(ready, { ...cut, readyToUse: true }),
      volumeFacts(log, { ...cut, readyToUse: false }),
    ];
    expect(decide(sampleFacts({ status: after, volumes })).kind).toBe('wait');
  });
});

describe('a completed snapshot of a group (SNAP-S7)', () => {
  const verdict = {
    value: 'Inconsistent',
    reason: 'VolumeMissing',
    message: 'm',
    decidedAt: ago(1),
  };
  const completed = { ...after, ...made, phase: 'Completed', verdict } as ApplicationSnapshotStatus;
  const marked = (facts: Partial<GroupFacts>): readonly string[] => {
    const step = decide(groupFacts(completed, facts));
    return step.kind === 'markVerdicts' ? step.marks.map(({ kind }) => kind) : [];
  };

  it('marks the group and its content', () => {
    expect(marked({ content: content(['handle-data'], ago(3)) })).toEqual([
      'group',
      'groupContent',
    ]);
  });

  it('marks no later group of the same name', () => {
    const later = group({ metadata: { name: 'g', namespace: 'shop', uid: 'group-2' } });
    expect(marked({ snapshot: later })).toEqual([]);
  });
});
