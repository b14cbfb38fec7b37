/** The messages of a restore that cannot be planned: the cause, and the next step. */
import { describe, expect, it } from 'vitest';

import type { VolumeSnapshotContent } from '../../../kube/snapshots.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import type { SnapshotRestoreSpec } from './kinds.ts';
import { planRestore, type RestorePlan, type RestoreSources } from './plan.ts';
import type { SnapshotSource } from './source-verdict.ts';

const verdict = {
  value: 'CrashConsistent',
  reason: 'NotFrozen',
  message: 'db 1.0 was not frozen.',
  decidedAt: '',
};
const application = (status: object): ApplicationSnapshot =>
  ({
    metadata: { name: 'nightly', uid: 'app' },
    spec: {},
    status,
  }) as unknown as ApplicationSnapshot;
const admitted = [
  { kind: 'VolumeSnapshot', name: 'velero-1' },
  { kind: 'VolumeGroupSnapshot', name: 'group' },
  { kind: 'VolumeSnapshot', name: 'velero-2' },
];
const window = {
  ...application({ phase: 'Cutting', admitted }),
  spec: { window: { guardName: 'shop' } },
} as unknown as ApplicationSnapshot;
const completed = application({ phase: 'Completed', verdict });

const volume = (claim: string, more: object = {}): SnapshotSource => ({
  snapshot: {
    metadata: { name: `nightly-${claim}`, uid: claim },
    spec: { source: { persistentVolumeClaimName: claim } },
    status: { readyToUse: true, restoreSize: '2Gi', ...more },
  },
  content: null,
  window: null,
  record: completed,
});

function planned(
  spec: Partial<SnapshotRestoreSpec> = {},
  found: Partial<RestoreSources> = {},
): RestorePlan {
  const source = { applicationSnapshotName: 'nightly' };
  const whole: SnapshotRestoreSpec = { source, requiredVerdict: 'Any', ...spec };
  return planRestore(
    { metadata: { name: 'friday' }, spec: whole },
    {
      application: completed,
      sources: [volume('data'), volume('wal')],
      missing: [],
      claims: new Map(),
      ...found,
    },
  );
}

const textOf = (plan: RestorePlan): string =>
  'message' in plan ? `${plan.reason}: ${plan.message}` : JSON.stringify(plan);

const wal = { sourceClaimName: 'wal' };
const onBlock = (claim: string): SnapshotSource => {
  const content = { spec: { sourceVolumeMode: 'Block' } } as VolumeSnapshotContent;
  return { ...volume(claim), content };
};
/** A check by a recipe with these mounts; without any, it mounts all claims. */
function recipeOn(...claims: string[]): Partial<SnapshotRestoreSpec> {
  const mounts = claims.map((sourceClaimName) => ({ sourceClaimName, path: sourceClaimName }));
  const recipe = { name: 'sqlite-lock', parameters: { file: 'a.db' } };
  const pod = { image: 'i', recipe, ...(claims.length === 0 ? {} : { mounts }) };
  return { verify: [{ name: 'a', pod }] };
}
const mounting = (...mounts: { sourceClaimName: string; path: string }[]): object => ({
  verify: [{ name: 'a', pod: { image: 'i', mounts } }],
});

describe('a restore that cannot be planned', () => {
  it.each<[string, Partial<SnapshotRestoreSpec>, Partial<RestoreSources>]>([
    [
      'SnapshotNotFound: ApplicationSnapshot nightly does not exist: name another, or its VolumeSnapshots in volumeSnapshotNames.',
      {},
      { application: null },
    ],
    [
      'SnapshotNotFound: VolumeSnapshot a, b does not exist any more, or was replaced: restore another snapshot.',
      {},
      { sources: [], missing: ['a', 'b'] },
    ],
    [
      'NothingToRestore: ApplicationSnapshot nightly failed before a volume was cut: there is nothing to restore.',
      {},
      { application: application({ phase: 'Failed' }) },
    ],
    [
      'NothingToRestore: ApplicationSnapshot nightly is a window of guard shop, which creates no snapshots: name those that it admitted in volumeSnapshotNames (--volume-snapshot): velero-1, velero-2.',
      {},
      { application: window, sources: [] },
    ],
    [
      'VerdictTooLow: The snapshot is CrashConsistent (NotFrozen), and ApplicationConsistent is required: db 1.0 was not frozen. Restore another snapshot, or lower requiredVerdict (--require).',
      { requiredVerdict: 'ApplicationConsistent' },
      {},
    ],
    [
      'ClaimTwice: Two VolumeSnapshots are snapshots of claim data: restore them one after the other.',
      {},
      { sources: [volume('data'), volume('data')] },
    ],
    [
      'UnknownClaim: The snapshot has no claim x; it has data, wal.',
      { claims: [{ sourceClaimName: 'x' }] },
      {},
    ],
    [
      'ClaimTwice: Two new claims have the name new.',
      {
        claims: [
          { ...wal, claimName: 'new' },
          { sourceClaimName: 'data', claimName: 'new' },
        ],
      },
      {},
    ],
    [
      'SizeUnknown: The snapshot of claim wal does not say its size, and the claim is deleted: give the size in spec.claims.',
      {},
      { sources: [volume('wal', { restoreSize: undefined })] },
    ],
    [
      'TooSmall: Claim wal needs at least 2Gi, not 1Gi: raise the size, or leave the size out.',
      { claims: [{ ...wal, size: '1Gi' }] },
      {},
    ],
    [
      'TooSmall: Claim wal needs at least 2Gi, not much: raise the size, or leave the size out.',
      { claims: [{ ...wal, size: 'much' }] },
      {},
    ],
    [
      'TooSmall: Claim wal needs at least little, not 1Gi: raise the size, or leave the size out.',
      { claims: [{ ...wal, size: '1Gi' }] },
      { sources: [volume('wal', { restoreSize: 'little' })] },
    ],
    [
      'CheckNeedsFilesystem: Check a cannot run: recipe sqlite-lock reads a directory, and claim data is a block volume (volumeMode Block). Give a command that reads the device $LIFEHOOK_PATH (--command) instead of the recipe, or mount a claim with a file system first.',
      recipeOn(),
      { sources: [onBlock('data'), volume('wal')] },
    ],
    [
      'CheckNeedsFilesystem: Check a cannot run: recipe sqlite-lock reads a directory, and claim wal is a block volume (volumeMode Block). Give a command that reads the device $LIFEHOOK_PATH (--command) instead of the recipe, or mount a claim with a file system first.',
      recipeOn('wal', 'data'),
      { sources: [volume('data'), onBlock('wal')] },
    ],
  ])('says %s', (...[text, spec, found]) => {
    expect(textOf(planned(spec, found))).toBe(text);
  });

  it.each<[string, Partial<RestoreSources>]>([
    ['ApplicationSnapshot nightly is not complete (Pending)', { application: application({}) }],
    [
      'VolumeSnapshot nightly-wal is not ready to use',
      { sources: [volume('data'), volume('wal', { readyToUse: false })] },
    ],
  ])('waits: %s', (waitsFor, found) => {
    expect(planned({}, found)).toEqual({ waitsFor });
  });
});

describe('a restore that can be planned', () => {
  it('takes a failed ApplicationSnapshot that has a verdict', () => {
    expect(planned({}, { application: application({ phase: 'Failed', verdict }) })).toHaveProperty(
      'claims',
    );
  });

  it('takes the size that the snapshot needs, and settings and mounts of its claims', () => {
    const spec = { claims: [{ ...wal, size: '2Gi' }], ...mounting({ ...wal, path: '/w' }) };
    expect(planned(spec)).toMatchObject({
      claims: [
        { sourceClaimName: 'wal', size: '2Gi', volumeSnapshotName: 'nightly-wal' },
        { sourceClaimName: 'data', size: '2Gi', volumeSnapshotUID: 'data' },
      ],
    });
  });

  it('takes a recipe whose first claim has a file system, and a command on a block volume (SNAP-V11)', () => {
    const sources = [volume('data'), onBlock('wal')];
    expect(planned(recipeOn(), { sources })).toHaveProperty('claims');
    expect(planned(recipeOn('data', 'wal'), { sources })).toHaveProperty('claims');
    const command = { verify: [{ name: 'a', pod: { image: 'i', command: ['fsck'] } }] };
    expect(planned(command, { sources: [onBlock('data')] })).toHaveProperty('claims');
  });

  it('takes VolumeSnapshots by their names, and the name of one that has no claim', () => {
    const bare = { ...volume('data'), record: null };
    const snapshot = { ...bare.snapshot, spec: {} };
    const source = { volumeSnapshotNames: ['nightly-data'] };
    const plan = planned(
      { source, preRestore: [{ name: 'stop', scale: { kind: 'Deployment', name: 'db' } }] },
      { application: null, sources: [{ ...bare, snapshot }] },
    );
    expect(plan).toMatchObject({ claims: [{ sourceClaimName: 'nightly-data' }] });
    const [claim] = 'claims' in plan ? plan.claims : [];
    expect(claim).not.toHaveProperty('volumeMode');
  });
});
