import { describe, expect, it } from 'vitest';

import { simulateController } from './simulate.ts';

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1);

async function hashes(): Promise<number[]> {
  const found: number[] = [];
  for (const seed of SEEDS.slice(0, 8)) found.push((await simulateController(seed)).traceHash);
  return found;
}

describe('simulateController', () => {
  it('is deterministic for a seed, and differs for another seed', async () => {
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  it('finds no violation for some seeds, and covers every kind of fault', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) {
      const { violation } = await simulateController(seed, (line) => lines.push(line));
      expect([seed, violation]).toEqual([seed, null]);
    }
    const text = lines.join('\n');
    const troubles = [
      '(refused)',
      '(tooMany)',
      '(conflict)',
      '(requestLost)',
      '(answerLost)',
      '(slow)',
      'the watch of configmaps breaks',
      'is killed',
      'is asked to stop',
      'is stopped for',
      'is cut off for',
      'the clock of host',
      'leads with uid-1/2',
      'server: Delete widgets',
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
