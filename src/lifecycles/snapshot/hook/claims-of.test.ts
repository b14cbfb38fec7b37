import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import { claimsOf } from './begin-hook.ts';

const pod: Pod = {
  metadata: { name: 'db-0' },
  spec: {
    volumes: [
      { name: 'wal', persistentVolumeClaim: { claimName: 'wal-db-0' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
      { name: 'scratch', ephemeral: {} },
      { name: 'config', configMap: { name: 'c' } },
    ],
    initContainers: [
      {
        name: 'sidecar',
        restartPolicy: 'Always',
        volumeMounts: [{ name: 'data', mountPath: '/d' }],
      },
    ] as NonNullable<Pod['spec']>['containers'],
    containers: [
      {
        name: 'db',
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'data', mountPath: '/again', subPath: 'x' },
          { name: 'scratch', mountPath: '/tmp' },
          { name: 'config', mountPath: '/etc/c' },
        ],
        volumeDevices: [{ name: 'wal', devicePath: '/dev/wal' }],
      },
      { name: 'log' },
    ],
  },
};

it('claimsOf lists the claims that a container mounts, with those that are made for its pod', () => {
  expect(claimsOf(pod, 'db')).toEqual(['data-db-0', 'db-0-scratch', 'wal-db-0']);
  expect([claimsOf(pod, 'sidecar'), claimsOf(pod, 'log'), claimsOf(pod, 'none')]).toEqual([
    ['data-db-0'],
    [],
    [],
  ]);
});
