import { describe, expect, it } from 'vitest';

import { simulateRollout } from './simulate.ts';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

async function hashes(): Promise<number[]> {
  const found: number[] = [];
  for (const seed of SEEDS.slice(0, 8)) found.push((await simulateRollout(seed)).traceHash);
  return found;
}

describe('simulateRollout', () => {
  it('does the same again for the same seed, and another thing for another', async () => {
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  it('holds for some seeds, and meets every kind of trouble that it is there for', async () => {
    const lines: string[] = [];
    for (const seed of SEEDS) {
      const { violation } = await simulateRollout(seed, (line) => lines.push(line));
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
      'the webhook is down',
      'failed calling webhook',
      'is held at 0 replicas',
      'is lost for',
      'is evicted',
      'GitOps looks',
      'autoscaler looks',
      'from zero looks',
      'somebody deletes the Deployment',
      'somebody deletes the lifecycle',
      'somebody edits the lifecycle',
      'somebody takes the finalizer off',
      'somebody takes the label off',
      'Unschedulable',
      'ErrImagePull',
      'which this template does not have',
      'Restoring',
      'RolledBack',
      'Held',
      'Reverted',
      'AbortedByUser',
      'ProgressDeadlineExceeded',
      'DrainDeadlineExceeded',
    ];
    expect(troubles.filter((trouble) => !text.includes(trouble))).toEqual([]);
  });
});
