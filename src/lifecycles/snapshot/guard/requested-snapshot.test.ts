import { describe, expect, it } from 'vitest';

import { creationOf } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { requestedSnapshot } from './requested-snapshot.ts';

const GROUP = { group: 'groupsnapshot.storage.k8s.io', kind: 'VolumeGroupSnapshot' };

const owners = (apiVersion: string, kind: string, controller = true): object => ({
  metadata: {
    name: 's',
    uid: 'u',
    ownerReferences: [{ apiVersion, kind, name: 'a', uid: 'o', controller }],
  },
});

describe('a requested snapshot', () => {
  it('has the final name and the UID of the object to be (SNAP-W2)', () => {
    expect(requestedSnapshot(creationOf('u1'))).toEqual({
      kind: 'VolumeSnapshot',
      namespace: 'shop',
      name: 'snapshot-u1',
      uid: 'u1',
      version: 'v1',
      className: '',
      source: { kind: 'claim', name: 'data' },
      owner: null,
      group: null,
    });
  });

  it('of a group has the labels of its claims', () => {
    const spec = {
      source: { selector: { matchLabels: { app: 'db' } } },
      volumeGroupSnapshotClassName: 'fast',
    };
    const object = { apiVersion: 'groupsnapshot.storage.k8s.io/v1beta2', spec };
    expect(requestedSnapshot(creationOf('g', { kind: GROUP, object }))).toMatchObject({
      kind: 'VolumeGroupSnapshot',
      version: 'v1beta2',
      className: 'fast',
      source: { kind: 'labels', matchLabels: { app: 'db' } },
    });
  });

  it('of a group names no class if the request names none', () => {
    const object = { spec: { source: { selector: { matchLabels: { app: 'db' } } } } };
    expect(requestedSnapshot(creationOf('g', { kind: GROUP, object }))?.className).toBe('');
  });

  it.each<[string, Parameters<typeof creationOf>[1]]>([
    ['a dry run', { dryRun: true }],
    ['an update', { operation: 'UPDATE' }],
    ['a status', { subResource: 'status' }],
    ['another kind', { kind: { group: '', kind: 'Pod' } }],
    ['the kind of another group', { kind: { group: 'example.com', kind: 'VolumeSnapshot' } }],
    ['an existing content', { object: { spec: { source: { volumeSnapshotContentName: 'c' } } } }],
    [
      'an existing group content',
      { kind: GROUP, object: { spec: { source: { volumeGroupSnapshotContentName: 'c' } } } },
    ],
    ['no source', { object: { spec: {} } }],
    ['a group without a source', { kind: GROUP, object: { spec: {} } }],
  ])('is none for %s (SNAP-W7)', (_, more) => {
    expect(requestedSnapshot(creationOf('u', more))).toBeNull();
  });

  it('names the ApplicationSnapshot that controls it, and no other owner', () => {
    const ownerOf = (object: object): unknown =>
      requestedSnapshot(creationOf('u', { object: object as never }))?.owner;
    const ours = 'lifehook.dev/v1alpha1';
    expect(ownerOf(owners(ours, 'ApplicationSnapshot'))).toEqual({ name: 'a', uid: 'o' });
    expect(ownerOf(owners(ours, 'ApplicationSnapshot', false))).toBeNull();
    expect(ownerOf(owners(ours, 'ExecutionHook'))).toBeNull();
    expect(ownerOf(owners('example.com/v1', 'ApplicationSnapshot'))).toBeNull();
  });

  it('names the group that owns it, in the version of the reference (SNAP-W7)', () => {
    const groupOf = (object: object): unknown =>
      requestedSnapshot(creationOf('u', { object: object as never }))?.group;
    const group = owners('groupsnapshot.storage.k8s.io/v1beta2', 'VolumeGroupSnapshot', false);
    expect(groupOf(group)).toEqual({ name: 'a', uid: 'o', version: 'v1beta2' });
    expect(groupOf(owners('groupsnapshot.storage.k8s.io/v1', 'VolumeSnapshot'))).toBeNull();
    expect(groupOf(owners('example.com/v1', 'VolumeGroupSnapshot'))).toBeNull();
  });
});
