import { expect, it } from 'vitest';

import { sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { mayDisturb } from './caches.ts';

it('leaves the guard alone while a window freezes, is frozen or thaws (SNAP-W13)', () => {
  const phases = ['Freezing', 'Cutting', 'Thawing', 'Finishing', 'Completed', 'Failed'] as const;
  const disturbing = phases.filter((phase) => mayDisturb(sampleWindow(1, { phase })));
  expect(disturbing).toEqual(['Finishing', 'Completed', 'Failed']);
  expect([mayDisturb(sampleWindow(1)), mayDisturb(null)]).toEqual([true, true]);
});
