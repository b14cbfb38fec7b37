import { describe, expect, it } from 'vitest';

import { OF_DEPLOYMENT_UID, OF_ROLLOUT, OF_STAGE } from '../names.ts';
import {
  fencingToken,
  hookPodLabels,
  hookPodSelector,
  identityOf,
  isSameIdentity,
} from './identity.ts';

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
    expect(identityOf({ metadata: { labels: { ...labels, [OF_DEPLOYMENT_UID]: '' } } })).toBeNull();
    expect(identityOf({ metadata: { labels: { ...labels, [OF_STAGE]: 'late' } } })).toBeNull();
    expect(identityOf({ metadata: { labels: { ...labels, [OF_ROLLOUT]: 'x' } } })).toBeNull();
  });
});

describe('isSameIdentity', () => {
  const { deployment: _, ...identity } = web;

  it.each([
    ['Deployment', { uid: 'u-2' }],
    ['rollout', { number: 13 }],
    ['stage', { stage: 'pre' as const }],
    ['attempt', { attempt: 4 }],
  ])('is false for another %s', (...[, other]) => {
    expect(isSameIdentity(identity, { ...identity, ...other })).toBe(false);
    expect(isSameIdentity({ ...identity, ...other }, identity)).toBe(false);
  });

  it('is false for a pod that is no hook pod', () => {
    expect(isSameIdentity(null, identity)).toBe(false);
  });
});

it('a selector of hook pods names the UID of their Deployment', () => {
  expect(hookPodSelector('u-1')).toBe('lifehook.dev/deployment-uid=u-1');
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
