import { expect, it } from 'vitest';

import type { Bar } from '../../timeline/bar.ts';
import { summarizeRuns } from '../../timeline/run-summary.ts';
import { findRun } from './run-runs.ts';

const rollout = (lane: string, startMs: number): Bar => ({
  id: lane,
  lifecycle: 'rollout',
  lane,
  kind: 'phase',
  run: 'rollout 2',
  point: 'forward',
  name: 'rollout 2',
  attempt: null,
  startMs,
  endMs: startMs,
  outcome: 'Succeeded',
});

it('finds the rollout of a Deployment although another Deployment has a newer one with its number', () => {
  const runs = summarizeRuns([rollout('shop/api', 1), rollout('shop/web', 2)], 3);
  expect(findRun(runs, 'shop/api rollout 2')?.lanes).toEqual(['shop/api']);
  expect(findRun(runs, 'rollout 2')?.lanes).toEqual(['shop/web']);
  expect(findRun(runs, '2')?.lanes).toEqual(['shop/web']);
  expect(findRun(runs, 'shop/db rollout 2')).toBeUndefined();
});
