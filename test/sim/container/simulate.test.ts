import { describe, expect, it } from 'vitest';

import { simulateContainer } from './simulate.ts';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe('simulateContainer', () => {
  it('is deterministic for a seed, with and without a log', async () => {
    const lines: string[] = [];
    const watched = await simulateContainer(7, (line) => lines.push(line));
    expect(await simulateContainer(7)).toEqual(watched);
    expect((await simulateContainer(8)).traceHash).not.toBe(watched.traceHash);
    expect(lines.length).toBeGreaterThan(10);
  });

  it('finds no violation for some seeds, and covers every kind of fault', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) {
      const { violation } = await simulateContainer(seed, (line) => lines.push(line));
      expect(violation).toBeNull();
    }
    const text = lines.join('\n');
    const troubles = [
      'is killed at step',
      'is killed when it has started',
      'fault: kill -9',
      'loses its power',
      'fails with ENOSPC',
      'fails with EIO',
      'clock set by',
      'user: SIGINT for ',
      'ends with SIGTERM',
      'ends with SIGKILL',
      'ends with 3',
      'postexit hook #0',
      'precreate hook #0',
      ': cancelled',
      'LHC212',
      'LHC213',
      'LHC214',
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
