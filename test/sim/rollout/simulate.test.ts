import { describe, expect, it } from 'vitest';

import { simulateRollout } from './simulate.ts';

const SEEDS = 60;
/** By then what is rare has happened too. */
const MAX_SEEDS = 250;

const TROUBLES = [
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

async function hashes(): Promise<number[]> {
  const found: number[] = [];
  for (let seed = 1; seed <= 8; seed += 1) found.push((await simulateRollout(seed)).traceHash);
  return found;
}

describe('simulateRollout', () => {
  it('does the same again for the same seed, and another thing for another', async () => {
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  it('holds for some seeds, and meets every kind of trouble that it is there for', async () => {
    let missing = TROUBLES;
    for (let seed = 1; seed <= SEEDS || (missing.length > 0 && seed <= MAX_SEEDS); seed += 1) {
      const lines: string[] = [];
      const { violation } = await simulateRollout(seed, (line) => lines.push(line));
      expect([seed, violation]).toEqual([seed, null]);
      const text = lines.join('\n');
      missing = missing.filter((trouble) => !text.includes(trouble));
    }
    expect(missing).toEqual([]);
  });
});
