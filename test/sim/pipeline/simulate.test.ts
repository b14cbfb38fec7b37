import { describe, expect, it } from 'vitest';

import { simulatePipeline } from './simulate.ts';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe('simulatePipeline', () => {
  it('is deterministic for a seed, with and without a log', async () => {
    const lines: string[] = [];
    const watched = await simulatePipeline(7, (line) => lines.push(line));
    expect(await simulatePipeline(7)).toEqual(watched);
    expect((await simulatePipeline(8)).traceHash).not.toBe(watched.traceHash);
    expect(lines.length).toBeGreaterThan(10);
  });

  it('finds no violation for some seeds, and covers every kind of fault', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) {
      const { violation } = await simulatePipeline(seed, (line) => lines.push(line));
      expect(violation).toBeNull();
    }
    const text = lines.join('\n');
    const troubles = [
      'is killed at step',
      'fault: kill -9',
      'loses its power',
      'fails with ENOSPC',
      'fails with EIO',
      'clock set by',
      'user: SIGINT',
      'user: SIGTERM',
      'user: SIGHUP',
      'has no program',
      'attempt 2 of',
      'ends with 3',
      'ends with SIGTERM',
      'ends with SIGKILL',
      '/onError/',
      '/finally/',
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
