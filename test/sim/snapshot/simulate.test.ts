import { describe, expect, it } from 'vitest';

import { simulateSnapshot } from './simulate.ts';

const SEEDS = Array.from({ length: 90 }, (_, index) => index + 1);

async function hashes(): Promise<number[]> {
  const found: number[] = [];
  for (const seed of SEEDS.slice(0, 8)) found.push((await simulateSnapshot(seed)).traceHash);
  return found;
}

describe('simulateSnapshot', () => {
  it('does the same again for the same seed, and another thing for another', async () => {
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  it('holds for some seeds, and meets every kind of trouble that it is there for', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) {
      const { violation } = await simulateSnapshot(seed, (line) => lines.push(line));
      expect([seed, violation]).toEqual([seed, null]);
    }
    const text = lines.join('\n');
    const troubles = [
      '(refused)',
      '(conflict)',
      '(requestLost)',
      '(answerLost)',
      '(slow)',
      'breaks',
      'is killed',
      'is asked to stop',
      'is stopped for',
      'is cut off for',
      'the clock of',
      'the holder thaws: asked',
      'the holder thaws: eof',
      'the holder thaws: silence',
      'the holder thaws: expiry',
      'the pause is over',
      'its container has ended',
      'is lost for',
      'is deleted',
      'somebody edits template',
      'somebody annotates',
      'ApplicationConsistent (FrozenAtCut)',
      'CrashConsistent',
      'Inconsistent (',
      'Unknown (',
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
