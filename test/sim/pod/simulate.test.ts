import { describe, expect, it } from 'vitest';

import { simulatePod } from './simulate.ts';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe('simulatePod', () => {
  it('is deterministic for a seed, with and without a log', async () => {
    const lines: string[] = [];
    const watched = await simulatePod(7, (line) => lines.push(line));
    expect(await simulatePod(7)).toEqual(watched);
    expect((await simulatePod(8)).traceHash).not.toBe(watched.traceHash);
    expect(lines.length).toBeGreaterThan(20);
  });

  it('finds no violation for some seeds, and covers every kind of fault', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) {
      const { violation } = await simulatePod(seed, (line) => lines.push(line));
      expect(violation).toBeNull();
    }
    const text = lines.join('\n');
    const troubles = [
      'is killed for',
      'clock set by',
      'deleted with 0 s',
      'cannot be started',
      'a record fails',
      'configmap "settings" not found',
      'FailedPostStartHook',
      'FailedPreStopHook',
      'Liveness probe failed',
      'DeadlineExceeded',
      'CrashLoopBackOff',
      'KILL',
      '"phase":"Succeeded"',
      '"phase":"Failed"',
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
