import { expect, it } from 'vitest';

import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import { listingText } from '../listing.ts';
import { snapshotsListing } from './list.ts';

const verdict = { value: 'ApplicationConsistent', reason: 'FrozenAtCut', message: '' };
const admitted = [
  { kind: 'VolumeSnapshot', name: 'velero-1', uid: 'a', verdict },
  { kind: 'VolumeGroupSnapshot', name: 'group', uid: 'b' },
];
const hooks = [{ firstPreAt: '2026-01-01T00:00:02Z', lastThawAt: '2026-01-01T00:00:04Z' }];
const snapshot = (name: string, status: object): ApplicationSnapshot =>
  ({ metadata: { namespace: 'shop', name }, spec: {}, status }) as ApplicationSnapshot;

it('snapshot list prints the snapshots of other clients that a guard admitted, with their verdicts', () => {
  const window = snapshot('w-1', { phase: 'Completed', admitted, hooks });
  const listing = snapshotsListing([window], []);
  expect(listingText(listing, 'text')).toContain(
    '\nGuarded snapshots of other clients:\n' +
      'NAMESPACE   SNAPSHOT                    VERDICT                 REASON        WINDOW   FROZEN                 THAWED\n' +
      'shop        volumesnapshot/velero-1     ApplicationConsistent   FrozenAtCut   w-1      2026-01-01T00:00:02Z   2026-01-01T00:00:04Z\n' +
      'shop        volumegroupsnapshot/group   -                       -             w-1      2026-01-01T00:00:02Z   2026-01-01T00:00:04Z\n',
  );
  expect(JSON.parse(listingText(listing, 'json'))).toMatchObject({
    admitted: [
      { name: 'velero-1', window: 'w-1', verdict },
      { name: 'group', verdict: null },
    ],
  });
});

it('snapshot list prints no such table without a window', () => {
  expect(listingText(snapshotsListing([snapshot('a', {})], []), 'text')).not.toContain('Guarded');
});
