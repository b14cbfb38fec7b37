import { expect, it } from 'vitest';

import { admittedSnapshots } from './admitted-snapshots.ts';
import type { ApplicationSnapshot } from './kinds.ts';

const verdict = { value: 'ApplicationConsistent', reason: 'FrozenAtCut', message: '' };
const window = (status: object): ApplicationSnapshot =>
  ({ metadata: { namespace: 'ns', name: 'w-1' }, spec: {}, status }) as ApplicationSnapshot;
const entry = { kind: 'VolumeSnapshot', name: 'a', uid: 'u' };

it('admittedSnapshots gives each snapshot its verdict, and the first freeze and last thaw of its window', () => {
  const hooks = [
    { firstPreAt: '2026-01-01T00:00:02Z', lastThawAt: '2026-01-01T00:00:05Z' },
    { firstPreAt: '2026-01-01T00:00:01Z', lastThawAt: '2026-01-01T00:00:04Z' },
    {},
  ];
  const admitted = [{ ...entry, verdict }, entry, { ...entry, unfrozen: 'Timeout', verdict }];
  const common = { namespace: 'ns', ...entry, window: 'w-1' };
  const frozenAt = '2026-01-01T00:00:01Z';
  const thawedAt = '2026-01-01T00:00:05Z';
  expect(admittedSnapshots(window({ hooks, admitted }))).toEqual([
    { ...common, verdict, frozenAt, thawedAt },
    { ...common, verdict: null, frozenAt, thawedAt },
    { ...common, verdict, frozenAt: null, thawedAt: null },
  ]);
});

it('admittedSnapshots of a window that is open, or of a snapshot that is no window', () => {
  expect(admittedSnapshots(window({ admitted: [entry] }))).toMatchObject([
    { verdict: null, frozenAt: null, thawedAt: null },
  ]);
  expect(admittedSnapshots(window({ phase: 'Completed' }))).toEqual([]);
});
