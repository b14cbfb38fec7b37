/**
 * The fields that a new claim copies from its source claim, the source of its size, and VolumeSnapshots that cannot be
 * restored yet.
 */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { CLAIM_HOOKS } from '../names.ts';
import type { ClaimSettings, RestoredClaim } from './kinds.ts';
import { planRestore, type RestorePlan } from './plan.ts';
import type { SnapshotSource } from './source-verdict.ts';

const source: SnapshotSource = {
  snapshot: {
    metadata: { name: 'nightly-data', uid: 'data' },
    spec: { source: { persistentVolumeClaimName: 'data' } },
    status: { readyToUse: true, restoreSize: '2Gi' },
  },
  content: null,
  window: null,
  record: null,
};

function planOf(
  original: PersistentVolumeClaim | undefined,
  { own, from = source }: { own?: Partial<ClaimSettings>; from?: SnapshotSource } = {},
): RestorePlan {
  const claims = own === undefined ? {} : { claims: [{ sourceClaimName: 'data', ...own }] };
  return planRestore(
    {
      metadata: { name: 'friday' },
      spec: {
        source: { volumeSnapshotNames: ['nightly-data'] },
        requiredVerdict: 'Any',
        ...claims,
      },
    },
    {
      application: null,
      sources: [from],
      missing: [],
      claims: new Map(original === undefined ? [] : [['data', original]]),
    },
  );
}

function claimOf(...given: Parameters<typeof planOf>): RestoredClaim | undefined {
  const plan = planOf(...given);
  return 'claims' in plan ? plan.claims[0] : undefined;
}

const base = {
  sourceClaimName: 'data',
  volumeSnapshotName: 'nightly-data',
  volumeSnapshotUID: 'data',
  accessModes: ['ReadWriteOnce'],
  size: '2Gi',
};
const sameName = { own: { claimName: 'data' } };

describe('a new claim', () => {
  const metadata = { labels: { app: 'db' }, annotations: { [CLAIM_HOOKS]: '[]', other: 'x' } };

  it('has the labels and the hooks of the source claim whose name it keeps (SNAP-V4)', () => {
    expect(claimOf({ metadata }, sameName)).toStrictEqual({
      ...base,
      claimName: 'data',
      labels: { app: 'db' },
      annotations: { [CLAIM_HOOKS]: '[]' },
    });
  });

  it('has none where the source claim has none, or is deleted', () => {
    const plain = { ...base, claimName: 'data' };
    expect(claimOf({ metadata: { annotations: { other: 'x' } } }, sameName)).toStrictEqual(plain);
    expect(claimOf({ metadata: {} }, sameName)).toStrictEqual(plain);
    expect(claimOf(undefined, sameName)).toStrictEqual(plain);
  });

  it('has none under another name, so that nothing selects both', () => {
    expect(claimOf({ metadata })).toStrictEqual({ ...base, claimName: 'data-friday' });
  });

  it('has the size of the snapshot where the source claim asks for none', () => {
    for (const spec of [{}, { resources: {} }, { resources: { requests: {} } }]) {
      expect(claimOf({ spec })?.size).toBe('2Gi');
    }
    expect(claimOf({})?.size).toBe('2Gi');
  });
});

describe('a VolumeSnapshot', () => {
  it('that is being deleted is not restored (SNAP-V6)', () => {
    const metadata = { ...source.snapshot.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const from = { ...source, snapshot: { ...source.snapshot, metadata } };
    expect(planOf(undefined, { from })).toEqual({
      reason: 'SnapshotNotFound',
      message: 'VolumeSnapshot nightly-data is being deleted: restore another snapshot.',
    });
  });

  it('without a status is waited for', () => {
    const { status: _, ...snapshot } = source.snapshot;
    expect(planOf(undefined, { from: { ...source, snapshot } })).toEqual({
      waitsFor: 'VolumeSnapshot nightly-data is not ready to use',
    });
  });
});
