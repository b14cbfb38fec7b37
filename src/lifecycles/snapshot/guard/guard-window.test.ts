import { expect, it } from 'vitest';

import { isOfGuard, windowFor } from './guard-window.ts';

const guard = {
  metadata: { namespace: 'shop', name: 'db' },
  spec: { executionHookInfos: [{ executionHookTemplateName: 'freeze' }] },
};

it('a window belongs to its guard, and is in no backup of Velero', () => {
  const { metadata } = windowFor({ guard, claimNames: ['data'] }, 3);
  expect(metadata).toEqual({
    namespace: 'shop',
    name: 'db-window-3',
    labels: { 'lifehook.dev/guard': 'db', 'velero.io/exclude-from-backup': 'true' },
  });
});

it('a window has the times of its guard, and those of any snapshot where the guard has none', () => {
  const spec = {
    ...guard.spec,
    cutDeadlineSeconds: 20,
    freezeTimeoutSeconds: 5,
    holdOpenSeconds: 3,
  };
  expect(windowFor({ guard: { ...guard, spec }, claimNames: ['data'] }, 1).spec).toEqual({
    source: { persistentVolumeClaimNames: ['data'] },
    executionHookInfos: [{ executionHookTemplateName: 'freeze' }],
    cutDeadlineSeconds: 20,
    window: { guardName: 'db', freezeTimeoutSeconds: 5, holdOpenSeconds: 3 },
  });
  expect(Object.keys(windowFor({ guard, claimNames: ['data'] }, 1).spec)).toEqual([
    'source',
    'executionHookInfos',
    'window',
  ]);
});

it('a window is no longer the one of a guard whose cut deadline was changed (SNAP-W11)', () => {
  const input = { guard, claimNames: ['data'] };
  const window = windowFor(input, 1);
  const changed = { ...guard, spec: { ...guard.spec, cutDeadlineSeconds: 20 } };
  expect([isOfGuard(window, input), isOfGuard(window, { ...input, guard: changed })]).toEqual([
    true,
    false,
  ]);
});
