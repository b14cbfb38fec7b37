/** A snapshot that is deleted: which objects it deletes, and which it leaves alone. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleFacts,
  type SampleFacts,
  sampleHook,
  sampleVolume,
  thawed,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import type { VolumeSnapshot } from '../../../kube/snapshots.ts';
import { decide } from './decide.ts';
import type { VolumeFacts } from './facts.ts';

const status = { cutRequestedAt: ago(5) };
const failure = { reason: 'CutDeadlineExceeded', message: '', at: ago(0.5) };
const deleted = [volumeFacts(sampleVolume('data'), null)];
const cut = [volumeFacts(sampleVolume('data'), { creationTime: ago(1) })];

/** A volume without a content, so that no mark is pending and the step is the deletion. */
function bare(change: (metadata: VolumeSnapshot['metadata']) => object): VolumeFacts {
  const { plan, snapshot } = volumeFacts(sampleVolume('data'), {});
  const metadata = { ...snapshot?.metadata, ...change(snapshot?.metadata) };
  return { plan, snapshot: { ...snapshot, metadata }, content: null };
}

const owner = (uid: string) => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'nightly', uid }],
});

describe('a snapshot that is deleted', () => {
  it.each<[string, SampleFacts, string]>([
    ['SNAP-I12: marks a cut with the reason Deleted', { status, volumes: cut }, 'mark Deleted'],
    [
      'SNAP-I12: marks a cut with the reason of its failure',
      { status: { ...status, failure }, volumes: cut },
      'mark CutDeadlineExceeded',
    ],
    [
      'deletes no VolumeSnapshot of another owner',
      { status, volumes: [bare(() => owner('another'))] },
      'removeFinalizer',
    ],
    [
      'does not delete a VolumeSnapshot that terminates already',
      { status, volumes: [bare(() => ({ deletionTimestamp: ago(1) }))] },
      'removeFinalizer',
    ],
    [
      'leaves a thawed hook alone that it has released',
      { status, volumes: deleted, hooks: [sampleHook({ status: thawed(), finalizers: [] })] },
      'removeFinalizer',
    ],
  ])('%s', (_, sample, expected) => {
    expect(stepText(decide(sampleFacts({ ...sample, terminating: true })))).toBe(expected);
  });

  it('waits for others once its own finalizer is removed', () => {
    const facts = sampleFacts({ status, terminating: true, hooks: [sampleHook()] });
    const { metadata } = facts.snapshot;
    const snapshot = { ...facts.snapshot, metadata: { ...metadata, finalizers: ['other'] } };
    expect(decide({ ...facts, snapshot })).toEqual({
      kind: 'wait',
      reason: 'other controllers must remove their finalizers',
    });
  });

  it.each<[string, string, object]>([
    [
      'deletes its VolumeGroupSnapshot',
      'aaaaaaaa-0000',
      {
        kind: 'deleteSnapshots',
        snapshots: [],
        groups: [{ metadata: { name: 'g', uid: 'group-1', ...owner('aaaaaaaa-0000') } }],
      },
    ],
    ['deletes no VolumeGroupSnapshot of another owner', 'another', { kind: 'removeFinalizer' }],
  ])('%s', (_, uid, expected) => {
    const facts = sampleFacts({ status, terminating: true, volumes: deleted });
    const snapshot = { metadata: { name: 'g', uid: 'group-1', ...owner(uid) } };
    expect(decide({ ...facts, group: { snapshot, content: null } })).toEqual(expected);
  });

  it('deletes its VolumeSnapshots next to its VolumeGroupSnapshot', () => {
    const volume = bare(() => ({}));
    const facts = sampleFacts({ status, terminating: true, volumes: [volume] });
    const snapshot = { metadata: { name: 'g', uid: 'group-1', ...owner('aaaaaaaa-0000') } };
    expect(decide({ ...facts, group: { snapshot, content: null } })).toEqual({
      kind: 'deleteSnapshots',
      snapshots: [volume.snapshot],
      groups: [snapshot],
    });
  });
});
