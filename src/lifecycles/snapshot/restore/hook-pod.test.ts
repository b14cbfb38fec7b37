import { expect, it } from 'vitest';

import { hookPod } from './hook-pod.ts';
import type { RestoredClaim, SnapshotRestore } from './kinds.ts';

const claim = (sourceClaimName: string, volumeMode: string): RestoredClaim => ({
  sourceClaimName,
  volumeMode,
  volumeSnapshotName: 's',
  volumeSnapshotUID: 'u',
  claimName: `${sourceClaimName}-copy`,
  accessModes: [],
  size: '1Gi',
});

it('hookPod mounts file systems, and gives block volumes as devices', () => {
  const claims = [claim('data', 'Filesystem'), claim('disk', 'Block')];
  const restore: SnapshotRestore = {
    metadata: { namespace: 'shop', name: 'friday', uid: 'r' },
    spec: { source: {} },
    status: { claims, claimsReadyAt: 'now' },
  };
  const container = (pod: object): unknown =>
    hookPod(restore, { name: 'check', pod: { image: 'i', ...pod } }, 1).spec?.containers[0];
  expect(container({})).toMatchObject({
    volumeMounts: [{ name: 'data', mountPath: 'restored/data' }],
    volumeDevices: [{ name: 'disk', devicePath: '/restored/disk' }],
  });
  const mounts = [{ sourceClaimName: 'disk', path: '/dev/copy' }];
  expect(container({ mounts })).toMatchObject({
    env: expect.arrayContaining([{ name: 'LIFEHOOK_PATH', value: '/dev/copy' }]) as object,
    volumeMounts: [],
    volumeDevices: [{ name: 'disk', devicePath: '/dev/copy' }],
  });
});

it('hookPod gives the path of the first mount unchanged, whatever the kubelet replaces in a variable', () => {
  const restore: SnapshotRestore = {
    metadata: { namespace: 'shop', name: 'friday', uid: 'r' },
    spec: { source: {} },
    status: { claims: [claim('data', 'Filesystem')], claimsReadyAt: 'now' },
  };
  const mounts = [{ sourceClaimName: 'data', path: '/a$$b$(HOME)' }];
  const pod = { image: 'i', mounts };
  expect(hookPod(restore, { name: 'check', pod }, 1).spec?.containers[0]).toMatchObject({
    env: expect.arrayContaining([{ name: 'LIFEHOOK_PATH', value: '/a$$$$b$$(HOME)' }]) as object,
    volumeMounts: [{ mountPath: '/a$$b$(HOME)' }],
  });
});
