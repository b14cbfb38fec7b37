/** The objects that a snapshot creates (SNAP-R11, SNAP-R29, SNAP-I12). */
import { describe, expect, it } from 'vitest';

import { sampleSnapshot, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { EVIDENCE_FINALIZER, MADE_FOR } from '../names.ts';
import { groupSnapshotFor, hookFor, isOwnedBy, volumeSnapshotFor } from './made-objects.ts';

const metadata = (name: string) => ({
  name,
  namespace: 'shop',
  labels: { [MADE_FOR]: 'nightly' },
  ownerReferences: [
    {
      apiVersion: 'lifehook.dev/v1alpha1',
      kind: 'ApplicationSnapshot',
      name: 'nightly',
      uid: 'aaaaaaaa-0000',
      controller: true,
      blockOwnerDeletion: true,
    },
  ],
});
const selector = { matchLabels: { app: 'db' } };

describe('a snapshot creates', () => {
  it('a hook for each of its infos, which holds its evidence from the beginning and stays out of backups', () => {
    const executionHookInfos = [
      { executionHookTemplateName: 'first' },
      { executionHookTemplateName: 'second' },
    ];
    const snapshot = sampleSnapshot({ executionHookNames: ['h-0', 'h-1'], executionHookInfos });
    const labels = { [MADE_FOR]: 'nightly', 'velero.io/exclude-from-backup': 'true' };
    expect(hookFor(snapshot, 1)).toEqual({
      metadata: { ...metadata('h-1'), labels, finalizers: [EVIDENCE_FINALIZER] },
      spec: { executionHookTemplateName: 'second' },
    });
  });

  it('a VolumeSnapshot of the claim, with the class of the plan', () => {
    expect(volumeSnapshotFor(sampleSnapshot(), sampleVolume('data'))).toEqual({
      metadata: metadata('nightly-data'),
      spec: {
        source: { persistentVolumeClaimName: 'data' },
        volumeSnapshotClassName: 'fast',
      },
    });
  });

  it('a VolumeGroupSnapshot of the labels alone (SNAP-CASE38)', () => {
    const status = { volumeGroupSnapshotName: 'g', volumes: [sampleVolume('data')] };
    const snapshot = sampleSnapshot(status, { source: { selector } });
    expect(groupSnapshotFor(snapshot)).toEqual({
      metadata: metadata('g'),
      spec: { source: { selector }, volumeGroupSnapshotClassName: 'fast' },
    });
  });
});

it('an object is its own where one of its owners is the snapshot', () => {
  const other = { apiVersion: 'v1', kind: 'K', name: 'other', uid: 'another' };
  const [own] = metadata('h').ownerReferences;
  const ownedBy = (...ownerReferences: (typeof other)[]): boolean =>
    isOwnedBy({ metadata: { ownerReferences } }, sampleSnapshot());
  expect([ownedBy(other, own ?? other), ownedBy(other), ownedBy()]).toEqual([true, false, false]);
});
