import { expect, it } from 'vitest';

import type { KubeClient } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ScheduleCaches } from './caches.ts';
import { CheckedSpecs } from './checked-spec.ts';
import { gatherFacts } from './facts.ts';
import type { SnapshotSchedule } from './kinds.ts';

const NAME = 'nightly-29000000';

const withUid = (uid: string): KubeObject => ({ metadata: { namespace: 'shop', name: NAME, uid } });

it('an active snapshot exists while the cache still has an earlier one of its name', async () => {
  const cache = { get: () => withUid('earlier') };
  const nothing = (): readonly never[] => [];
  const caches = { snapshots: cache, snapshotsOf: nothing, restoresOf: nothing } as object;
  const client = { get: () => Promise.resolve(withUid('active')) } as object;
  const schedule = {
    metadata: { namespace: 'shop', name: 'nightly' },
    spec: { schedule: '0 * * * *', retention: { keepLast: 1 } },
    status: {
      active: [{ name: NAME, uid: 'active', scheduledTime: '2026-05-01T00:00:00Z' }],
    },
  } as unknown as SnapshotSchedule;
  const { active } = await gatherFacts(
    {
      caches: caches as ScheduleCaches,
      specs: new CheckedSpecs(),
      client: client as KubeClient,
      nowMs: 0,
    },
    schedule,
  );
  expect(active[0]?.snapshot?.metadata?.uid).toBe('active');
});
