import { describe, expect, it } from 'vitest';

import { hookPod, web } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { ownerOf, ownerPatch } from './owner.ts';

const set = { metadata: { name: 'web-2', uid: 'uid-set' } };

describe('ownerOf', () => {
  it('is the Deployment until there is a ReplicaSet, and never a controller (ROLL-E24)', () => {
    expect(ownerOf({ deployment: web, replicaSet: null })).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'web',
      uid: 'uid-web',
      controller: false,
      blockOwnerDeletion: false,
    });
    expect(ownerOf({ deployment: web, replicaSet: set })).toMatchObject({
      kind: 'ReplicaSet',
      name: 'web-2',
      controller: false,
    });
  });
});

describe('ownerPatch', () => {
  const pod = hookPod();
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'uid-x' };
  const owned = (...ownerReferences: object[]): typeof pod => ({
    ...pod,
    metadata: { ...pod.metadata, resourceVersion: '9', ownerReferences: ownerReferences as never },
  });

  it('replaces the Deployment by the ReplicaSet, and keeps other owners', () => {
    const patch = ownerPatch(owned(ownerOf({ deployment: web, replicaSet: null }), other), set);
    expect(patch).toEqual({
      metadata: {
        uid: 'uid-7-pre-1',
        resourceVersion: '9',
        ownerReferences: [other, ownerOf({ deployment: web, replicaSet: set })],
      },
    });
  });

  it('is null if the ReplicaSet already owns the pod', () => {
    const owner = ownerOf({ deployment: web, replicaSet: set });
    expect(ownerPatch(owned(owner), set)).toBeNull();
    expect(ownerPatch(owned(other, owner), set)).toBeNull();
  });

  it('is made for a pod without owners', () => {
    const patch = ownerPatch(pod, set);
    const owner = ownerOf({ deployment: web, replicaSet: set });
    const metadata = { uid: 'uid-7-pre-1', resourceVersion: null, ownerReferences: [owner] };
    expect(patch).toEqual({ metadata });
  });
});
