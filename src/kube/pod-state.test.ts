import { expect, it } from 'vitest';

import { hasEnded, isReady } from './pod-state.ts';

it('a pod has ended when it has succeeded or failed', () => {
  const phases = ['Succeeded', 'Failed', 'Running', 'Pending', 'Unknown'];
  expect(phases.filter((phase) => hasEnded({ status: { phase } }))).toEqual([
    'Succeeded',
    'Failed',
  ]);
  expect(hasEnded({})).toBe(false);
});

it('a pod is ready while its condition Ready is true', () => {
  const withReady = (type: string, status: string): boolean =>
    isReady({ status: { conditions: [{ type, status }] } });
  expect(withReady('Ready', 'True')).toBe(true);
  expect(withReady('Ready', 'False')).toBe(false);
  expect(withReady('Initialized', 'True')).toBe(false);
  expect(isReady({})).toBe(false);
});
