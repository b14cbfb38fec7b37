import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import type { ApplicationSnapshot } from '../kinds.ts';
import type { SnapshotRestore, SnapshotRestoreSpec } from './kinds.ts';
import { planRestore, type RestorePlan, type RestoreSources } from './plan.ts';
import type { SnapshotSource } from './source-verdict.ts';

const verdict = {
  value: 'ApplicationConsistent',
  reason: 'FrozenAtCut',
  message: 'frozen',
  decidedAt: '',
};
const application = {
  metadata: { name: 'nightly', uid: 'app' },
  spec: {},
  status: { phase: 'Completed', verdict },
} as unknown as ApplicationSnapshot;

const volume = (claim: string, more: object = {}): SnapshotSource => ({
  snapshot: {
    metadata: { name: `nightly-${claim}`, uid: claim },
    spec: { source: { persistentVolumeClaimName: claim } },
    status: { readyToUse: true, restoreSize: '2Gi', ...more },
  },
  content: null,
  window: null,
  record: application,
});

const sourceClaim: PersistentVolumeClaim = {
  spec: {
    accessModes: ['ReadWriteMany'],
    storageClassName: 'fast',
    volumeMode: 'Filesystem',
    resources: { requests: { storage: '3Gi' } },
  },
};

function planned(
  spec: Partial<SnapshotRestoreSpec>,
  found: Partial<RestoreSources> = {},
): RestorePlan {
  const source = { applicationSnapshotName: 'nightly' };
  const restore: SnapshotRestore = { metadata: { name: 'friday' }, spec: { source, ...spec } };
  const sources = [volume('data'), volume('wal')];
  const claims = new Map([['data', sourceClaim]]);
  return planRestore(restore, { application, sources, missing: [], claims, ...found });
}

function claimsOf(plan: RestorePlan): string[] {
  if (!('claims' in plan)) throw new Error(JSON.stringify(plan));
  return plan.claims.map(({ claimName, size }) => `${claimName} ${size}`);
}

const reasonOf = (plan: RestorePlan): string =>
  'reason' in plan ? plan.reason : 'waitsFor' in plan ? `waits: ${plan.waitsFor}` : 'planned';

describe('a plan of a restore', () => {
  it('names the claims by a rule, in the order of the source (SNAP-V4, SNAP-V5)', () => {
    expect(claimsOf(planned({}))).toEqual(['data-friday 3Gi', 'wal-friday 2Gi']);
  });

  it('creates claims with settings first, in their order', () => {
    const claims = [{ sourceClaimName: 'wal', claimName: 'log', size: '5Gi' }];
    expect(claimsOf(planned({ claims }))).toEqual(['log 5Gi', 'data-friday 3Gi']);
  });

  it('takes class, modes and volume mode of the source claim, unless the spec sets others', () => {
    const [data, wal] = (planned({}) as { claims: object[] }).claims;
    expect(data).toMatchObject({
      storageClassName: 'fast',
      accessModes: ['ReadWriteMany'],
      volumeMode: 'Filesystem',
    });
    expect(wal).toMatchObject({ accessModes: ['ReadWriteOnce'] });
    expect(wal).not.toHaveProperty('storageClassName');
    const own = planned({ storageClassName: 'slow', accessModes: ['ReadOnlyMany'] });
    expect((own as { claims: object[] }).claims[0]).toMatchObject({
      storageClassName: 'slow',
      accessModes: ['ReadOnlyMany'],
    });
  });

  it.each<[string, Partial<SnapshotRestoreSpec>, Partial<RestoreSources>, string]>([
    ['an ApplicationSnapshot that does not exist', {}, { application: null }, 'SnapshotNotFound'],
    ['a VolumeSnapshot that was replaced', {}, { missing: ['nightly-data'] }, 'SnapshotNotFound'],
    ['an ApplicationSnapshot that cut nothing', {}, { sources: [] }, 'NothingToRestore'],
    [
      'settings of a claim that it has not',
      { claims: [{ sourceClaimName: 'x' }] },
      {},
      'UnknownClaim',
    ],
    [
      'mounts of a claim that it has not',
      {
        verify: [
          { name: 'a', pod: { image: 'i', mounts: [{ sourceClaimName: 'x', path: '/x' }] } },
        ],
      },
      {},
      'UnknownClaim',
    ],
    [
      'a size below the needed one',
      { claims: [{ sourceClaimName: 'data', size: '1Gi' }] },
      {},
      'TooSmall',
    ],
    [
      'two claims of one name',
      { claims: [{ sourceClaimName: 'data', claimName: 'wal-friday' }] },
      {},
      'ClaimTwice',
    ],
    ['two snapshots of one claim', {}, { sources: [volume('data'), volume('data')] }, 'ClaimTwice'],
    [
      'a snapshot without a size whose claim is deleted',
      {},
      { sources: [volume('wal', { restoreSize: undefined })] },
      'SizeUnknown',
    ],
    [
      'a snapshot that is not ready',
      {},
      { sources: [volume('data', { readyToUse: false })] },
      'waits: ',
    ],
    [
      'a snapshot that is not complete',
      {},
      { application: { ...application, status: { phase: 'Cutting' } } },
      'waits: ApplicationSnapshot nightly is not complete (Cutting)',
    ],
  ])('is refused, or waits, for %s', (...[, spec, found, reason]) => {
    expect(reasonOf(planned(spec, found))).toContain(reason);
  });

  it.each([
    ['ApplicationConsistent', 'ApplicationConsistent', 'planned'],
    ['CrashConsistent', 'ApplicationConsistent', 'VerdictTooLow'],
    ['CrashConsistent', 'CrashConsistent', 'planned'],
    ['Inconsistent', 'CrashConsistent', 'VerdictTooLow'],
    ['Unknown', 'Any', 'planned'],
    ['Unknown', undefined, 'VerdictTooLow'],
  ] as const)(
    'of a snapshot that is %s with %s required: %s (SNAP-V2)',
    (value, required, result) => {
      const record = {
        ...application,
        status: { phase: 'Completed', verdict: { ...verdict, value } },
      };
      const sources = [{ ...volume('data'), record: record as unknown as ApplicationSnapshot }];
      const spec = required === undefined ? {} : { requiredVerdict: required };
      const plan = planned(spec, { sources });
      expect(reasonOf(plan)).toBe(result);
      expect(plan).toHaveProperty('sourceVerdict.value', value);
    },
  );
});
