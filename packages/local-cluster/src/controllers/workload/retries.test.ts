import { expect, it } from 'vitest';

import { backoffMs } from '../../../../../src/kube/backoff.ts';
import { retryBounded, WORKLOAD_BACKOFF } from './retries.ts';

it('retryBounded retries a key fifteen times, the last after at most 82 seconds, and then drops it', () => {
  const error = new Error('no');
  const kinds = Array.from({ length: 17 }, (_, index) => retryBounded(error, index + 1).kind);
  expect(kinds.indexOf('terminal')).toBe(15);
  expect(backoffMs(15, WORKLOAD_BACKOFF, 1)).toBe(81_920);
  expect(backoffMs(1, WORKLOAD_BACKOFF, 1)).toBe(5);
});
