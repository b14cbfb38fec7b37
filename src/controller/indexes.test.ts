import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../kube/object.ts';
import { byNamespace, byOwnerUid, controllerKey, controllerOf } from './indexes.ts';

const owned = (apiVersion: string, kind: string, namespace?: string): KubeObject => ({
  metadata: {
    name: 'child',
    ...(namespace === undefined ? {} : { namespace }),
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Node', name: 'n', uid: '1' },
      { apiVersion, kind, name: 'owner', uid: '2', controller: true },
    ],
  },
});
const free: KubeObject = { metadata: { name: 'free' } };

describe('the common indexes', () => {
  it('find objects by namespace, cluster-scoped ones by an empty one', () => {
    expect(byNamespace(owned('v1', 'Pod', 'ns'))).toEqual(['ns']);
    expect(byNamespace(free)).toEqual(['']);
  });

  it('find objects by the UID of each owner', () => {
    expect(byOwnerUid(owned('v1', 'Pod', 'ns'))).toEqual(['1', '2']);
    expect(byOwnerUid(free)).toEqual([]);
  });
});

describe('the controlling owner', () => {
  it('is the one owner that controls the object, if there is one', () => {
    expect(controllerOf(owned('v1', 'Pod', 'ns'))?.name).toBe('owner');
    expect(controllerOf(free)).toBeUndefined();
  });

  it('is found by kind and group, whatever its version', () => {
    const keys = controllerKey({ group: 'apps', kind: 'ReplicaSet' });
    expect(keys(owned('apps/v2', 'ReplicaSet', 'ns'))).toEqual(['ns/owner']);
    expect(keys(owned('v1', 'ReplicaSet', 'ns'))).toEqual([]);
    expect(keys(owned('apps/v1', 'Deployment', 'ns'))).toEqual([]);
    expect(keys(free)).toEqual([]);
  });

  it('may be of the core group', () => {
    const keys = controllerKey({ group: '', kind: 'ReplicationController' });
    expect(keys(owned('v1', 'ReplicationController', 'ns'))).toEqual(['ns/owner']);
    expect(keys(owned('other/v1', 'ReplicationController', 'ns'))).toEqual([]);
  });

  it('of a cluster-scoped object is cluster-scoped too', () => {
    const keys = controllerKey({ group: '', kind: 'Node' });
    expect(keys(owned('v1', 'Node'))).toEqual(['owner']);
  });
});
