import { describe, expect, it } from 'vitest';

import { simulateEngine } from './simulate.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

async function hashes(): Promise<number[]> {
  const found: number[] = [];
  for (const seed of SEEDS) found.push((await simulateEngine(seed)).traceHash);
  return found;
}

describe('simulateEngine', () => {
  it('is deterministic for a seed, and differs for another seed', async () => {
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(SEEDS.length);
  });

  it('has the same result with and without a log', async () => {
    const lines: string[] = [];
    const watched = await simulateEngine(7, (line) => lines.push(line));
    expect(watched).toEqual(await simulateEngine(7));
    expect(lines.length).toBeGreaterThan(50);
  });

  it('covers every kind of fault', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) await simulateEngine(seed, (line) => lines.push(line));
    const text = lines.join('\n');
    const troubles = [
      'power is lost',
      'clock set by',
      'fails with ENOSPC',
      'fails with EIO',
      'is cancelled',
      '"kind":"hang"',
      '"kind":"throw"',
      '"kind":"reject"',
      'answers TimedOut',
      'answers Cancelled',
      'exited before its end was recorded',
      'did not answer within',
      ...['Succeeded', 'Failed', 'TimedOut', 'Cancelled', 'Unknown'].map(
        (outcome) => `"outcome":"${outcome}"`,
      ),
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
