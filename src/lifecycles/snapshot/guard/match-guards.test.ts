import { describe, expect, it } from 'vitest';

import { sampleClaim, sampleGuard } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { matchGuards, type RequestedClaim, selects } from './match-guards.ts';

const claim = (name: string, labels: Record<string, string> = {}): RequestedClaim => ({
  name,
  claim: sampleClaim(name, labels),
});
const all = sampleGuard();
const ofShop = sampleGuard({ claimSelector: { matchLabels: { app: 'shop' } } }, 'shop');

describe('the guard of a requested snapshot', () => {
  it('is the one that selects its claim, by labels or all claims (SNAP-W7)', () => {
    expect(matchGuards([all], [claim('data')])).toEqual({ kind: 'guard', guard: all });
    expect(matchGuards([ofShop], [claim('data', { app: 'shop' })])).toEqual({
      kind: 'guard',
      guard: ofShop,
    });
    expect(matchGuards([ofShop], [claim('data')])).toEqual({ kind: 'none' });
    expect(matchGuards([], [{ name: 'data', claim: null }])).toEqual({ kind: 'none' });
  });

  it('is refused for two guards, which it names (SNAP-W10)', () => {
    expect(matchGuards([all, ofShop], [claim('data', { app: 'shop' })])).toEqual({
      kind: 'refused',
      reason: 'SeveralGuards',
      message:
        'SnapshotGuards mariadb, shop select claims of this snapshot (data), but one freeze has one guard. Change their claimSelector, so that one guard selects them.',
    });
  });

  it('is refused for two guards of the claims of a group, all of which it names (SNAP-W10)', () => {
    const ofWal = sampleGuard({ claimSelector: { matchLabels: { app: 'wal' } } }, 'wal');
    const claims = [claim('data', { app: 'shop' }), claim('wal', { app: 'wal' })];
    expect(matchGuards([ofShop, ofWal], claims)).toMatchObject({
      reason: 'SeveralGuards',
      message: expect.stringContaining(
        'SnapshotGuards shop, wal select claims of this snapshot (data, wal)',
      ) as string,
    });
  });

  it('selects no claim that does not exist (SNAP-W7)', () => {
    expect([selects(all, null), selects(ofShop, null)]).toEqual([false, false]);
  });

  it('is refused for a claim that does not exist: it would be cut whenever it is created (SNAP-W10)', () => {
    expect(matchGuards([ofShop], [{ name: 'later', claim: null }])).toEqual({
      kind: 'refused',
      reason: 'NoClaim',
      message:
        'claim later does not exist, and SnapshotGuard shop guards claims of this namespace. Create the claim first.',
    });
    expect(matchGuards([ofShop, all], [])).toMatchObject({
      reason: 'NoClaim',
      message:
        'no claim has the labels of its selector, and SnapshotGuard shop, mariadb guards claims of this namespace. Create the claim first.',
    });
  });

  it('is refused for a group of which it selects only a part (SNAP-W3)', () => {
    const claims = [claim('data', { app: 'shop' }), claim('other')];
    expect(matchGuards([ofShop], claims)).toMatchObject({
      kind: 'refused',
      reason: 'PartlyGuarded',
      message:
        'claim other is part of this group, but SnapshotGuard shop does not select it. Change the claimSelector, or the labels of the group.',
    });
  });
});
