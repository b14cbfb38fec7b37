import { describe, expect, it } from 'vitest';

import { OF_ROLLOUT, OF_STAGE } from '../names.ts';
import { fencingToken, hookPodLabels, identityOf, isSameIdentity } from './identity.ts';

const web = { deployment: 'web', uid: 'u-1', number: 12, stage: 'mid', attempt: 3 } as const;

describe('identityOf', () => {
  it('reads what hookPodLabels wrote', () => {
    const { deployment: _, ...identity } = web;
    const read = identityOf({ metadata: { labels: hookPodLabels(web) } });
    expect(read).toEqual(identity);
    expect(isSameIdentity(read, identity)).toBe(true);
    expect(isSameIdentity(read, { ...identity, attempt: 4 })).toBe(false);
  });

  it('is null for a pod without valid hook labels', () => {
    const labels = hookPodLabels(web);
    expect(identityOf({})).toBeNull();
    expect(identityOf({ metadata: { labels: { ...labels, [OF_STAGE]: 'late' } } })).toBeNull();
    expect(identityOf({ metadata: { labels: { ...labels, [OF_ROLLOUT]: 'x' } } })).toBeNull();
  });
});

describe('fencingToken', () => {
  it('grows with the attempt, the stage and the number', () => {
    const tokens = [
      fencingToken({ number: 12, stage: 'pre', attempt: 99_999 }),
      fencingToken({ number: 12, stage: 'mid', attempt: 3 }),
      fencingToken({ number: 12, stage: 'post', attempt: 1 }),
      fencingToken({ number: 13, stage: 'pre', attempt: 1 }),
    ];
    expect(tokens[1]).toBe(12_100_003);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
  });
});
