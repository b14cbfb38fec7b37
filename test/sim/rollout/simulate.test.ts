import { describe, expect, it } from 'vitest';

import { simulateRollout } from './simulate.ts';

/** Seeds that together meet every kind of trouble. A change of the product or the simulation may change that. */
const CHOSEN = [261, 221, 190, 95, 400, 15];
/** If the chosen seeds no longer suffice, the test runs more of them. With this many, even the rare kinds occur. */
const MAX_SEEDS = 500;

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
  'a user creates ReplicaSet',
  'a user scales ReplicaSet',
  'a user changes the template of ReplicaSet',
  'would start pods without passing',
  'GitOps looks',
  'autoscaler looks',
  'from zero looks',
  'a user deletes the Deployment',
  'a user deletes the lifecycle',
  'a user edits the lifecycle',
  'a user takes the finalizer off',
  'take the label',
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
  for (const seed of CHOSEN.slice(0, 4)) found.push((await simulateRollout(seed)).traceHash);
  return found;
}

describe('simulateRollout', () => {
  it('is deterministic for a seed, and differs for another seed', async () => {
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  it('finds no violation for some seeds, and covers every kind of fault', async () => {
    let missing = TROUBLES;
    const others = Array.from({ length: MAX_SEEDS }, (_, index) => index + 1);
    for (const [index, seed] of [...CHOSEN, ...others].entries()) {
      if (index >= CHOSEN.length && missing.length === 0) break;
      const lines: string[] = [];
      const { violation } = await simulateRollout(seed, (line) => lines.push(line));
      expect([seed, violation]).toEqual([seed, null]);
      const text = lines.join('\n');
      missing = missing.filter((trouble) => !text.includes(trouble));
    }
    expect(missing).toEqual([]);
  });
});

/** Seeds that once violated an invariant, with the troubles that they met. */
const KEPT: Readonly<Record<number, string>> = {
  431: 'a HookRun is deleted with its namespace before the cache has it',
  892: 'a user resumes what a deleted lifecycle left paused, and pauses it with another template',
  1877: 'a user resumes what a deleted lifecycle left paused, and creates another lifecycle',
  2052: 'what a deleted lifecycle released is paused before it runs, and another one follows',
  3197: 'a user sets a wanted count after a lifecycle is deleted, and another lifecycle gates the next template',
  4304: 'an undo restores a wanted count of 0 after a user resumed and scaled what a deleted lifecycle left paused',
  7523: 'an undo restores the numbers of an older ReplicaSet before the label is set',
  7663: 'a revert after a drain is rolled back to itself when its mid hook fails',
  9158: 'an evicted pod is deleted while its node is lost and reports no status',
  9951: 'as 9158, while the rollout waits for its hook',
  20618: 'the label cannot be set and a change is not reviewed while the webhook is down',
  21351: 'a user changes the template between the stamp and the label',
  24041: 'as 9158, for a pod of the Deployment (ROLL-L9)',
  26814: 'as 7663, in the stage pre',
  29821: 'a user sets our annotations on a Deployment without the label',
  14572: 'a new template arrives before the restored one has its pods',
  16694: 'two ReplicaSets with the strategy Recreate have pods and are not scaled while paused',
  17808: 'a user sets a wanted count on a Deployment that is not held',
  33658: 'the Deployment is paused before the released template has its ReplicaSet',
  36095: 'a user removes the finalizer of a hook pod without a recorded outcome',
  36359: 'a pod remains of a ReplicaSet that was just scaled to 0',
  43376: 'the restored template is checked in a cache with the earlier pods',
  52612: 'a user scales to 0 after setting a wanted count on a Deployment that is not held',
  55575: 'a rollout is rolled back to the template that ran before the lifecycle',
  56961: 'the Deployment is deleted while the post hook pod is created',
  61657: 'an old ReplicaSet is created next to that of the restored template',
  90444: 'a Deployment that stalls for long progresses in the end',
  4585: 'a request for a hook pod arrives after the lifecycle was deleted',
  6265: 'as 4585, for the stage mid',
  12864:
    'a user removes the finalizer of a running hook pod while another create request is in flight',
  34115: 'a pod of a deleted ReplicaSet runs alongside mid',
  33947: 'an outdated controller creates pods for a deleted ReplicaSet for 17 s while mid runs',
  46621: 'the template changes before the restored one has its pods, and no ReplicaSet is kept',
  51984: 'a held template has pods, and its record is from an outdated cache',
  63576:
    'the template changes before the restored one has its pods: the newest ReplicaSet is scaled up (ROLL-E15)',
  65785: 'a request for a hook pod arrives while its rollout progresses and is paused by a user',
  87932: 'a user scales to 0 while a wanted count is set on a Deployment that is not held',
};

describe('a seed that once violated an invariant', () => {
  it.each(Object.entries(KEPT))('finds no violation: %s, %s', async (seed) => {
    expect((await simulateRollout(Number(seed))).violation).toBeNull();
  });
});
