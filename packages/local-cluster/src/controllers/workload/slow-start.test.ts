import { describe, expect, it } from 'vitest';

import { backoffMs } from '../../../../../src/platform/sleep.ts';
import { allAtOnce, slowStart, retryBounded, WORKLOAD_BACKOFF } from './slow-start.ts';

describe('a slow start', () => {
  it('sends batches of 1, 2, 4 and the rest', async () => {
    const batches: number[][] = [];
    let open = 0;
    const result = await slowStart(10, async (index) => {
      if (open === 0) batches.push([]);
      open += 1;
      batches.at(-1)?.push(index);
      await Promise.resolve();
      open -= 1;
    });
    expect(batches).toEqual([[0], [1, 2], [3, 4, 5, 6], [7, 8, 9]]);
    expect(result).toEqual({ done: 10, failure: null });
  });

  it('stops after the batch in which an item failed, and returns the number done', async () => {
    const sent: number[] = [];
    const result = await slowStart(10, async (index) => {
      sent.push(index);
      if (index === 2) throw new Error('quota');
    });
    expect(sent).toEqual([0, 1, 2]);
    expect(result).toEqual({ done: 2, failure: { error: new Error('quota') } });
  });
});

it('allAtOnce tries every item, and returns the first failure', async () => {
  const result = await allAtOnce([1, 2, 3], async (item) => {
    if (item < 3) throw new Error(String(item));
  });
  expect(result).toEqual({ done: 1, failure: { error: new Error('1') } });
});

it('retryBounded retries a key fifteen times, the last after at most 82 seconds, and then drops it', () => {
  const error = new Error('no');
  const kinds = Array.from({ length: 17 }, (_, index) => retryBounded(error, index + 1).kind);
  expect(kinds.indexOf('terminal')).toBe(15);
  expect(backoffMs(15, WORKLOAD_BACKOFF, 1)).toBe(81_920);
  expect(backoffMs(1, WORKLOAD_BACKOFF, 1)).toBe(5);
});
