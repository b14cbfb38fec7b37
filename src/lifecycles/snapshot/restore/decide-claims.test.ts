import { describe, expect, it } from 'vitest';

import { claimsToBind, decideClaims } from './decide-claims.ts';
import type { ClaimFacts, RestoreFacts } from './facts.ts';
import type { RestoredClaim, RestoreHook, SnapshotRestoreSpec } from './kinds.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW_MS - seconds * 1_000).toISOString();

const planned: RestoredClaim = {
  sourceClaimName: 'data',
  volumeSnapshotName: 's',
  volumeSnapshotUID: 'su',
  claimName: 'new',
  accessModes: [],
  size: '1Gi',
  claimUID: 'u',
  bound: false,
  waitsForConsumer: false,
};

const found = (phase: string, more: Partial<ClaimFacts> = {}): ClaimFacts => ({
  claim: { metadata: { uid: 'u' }, status: { phase } },
  waitsForConsumer: false,
  ...more,
});

function factsOf(
  claim: Partial<RestoredClaim>,
  seen: ClaimFacts,
  {
    spec = {},
    requestedAgo = 10,
  }: { spec?: Partial<SnapshotRestoreSpec>; requestedAgo?: number } = {},
): RestoreFacts {
  return {
    restore: {
      spec: { source: {}, ...spec },
      status: { claims: [{ ...planned, ...claim }], claimsRequestedAt: ago(requestedAgo) },
    },
    claims: [seen],
    open: null,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
  };
}

const waiting = { waitsForConsumer: true };
const verify = [{ name: 'check', pod: { image: 'i' } }];
const mounting = (...names: readonly string[]): RestoreHook[] => {
  const mounts = names.map((sourceClaimName) => ({ sourceClaimName, path: `/${sourceClaimName}` }));
  return [{ name: 'check', pod: { image: 'i', mounts } }];
};

describe('the claims of a restore (SNAP-V7)', () => {
  it('are waited for until they are bound', () => {
    expect(decideClaims(factsOf({}, found('Pending')))).toMatchObject({ kind: 'wait' });
    expect(decideClaims(factsOf({}, found('Bound')))).toMatchObject({ kind: 'recordClaims' });
    expect(decideClaims(factsOf({ bound: true }, found('Bound')))).toEqual({ kind: 'claimsReady' });
  });

  it('fail the restore if they are not bound in time', () => {
    const late = factsOf({}, found('Pending'), { requestedAgo: 601 });
    expect(decideClaims(late)).toMatchObject({ kind: 'fail', failure: { reason: 'NotBound' } });
    const spec = { bindDeadlineSeconds: 5 };
    const own = factsOf({}, found('Pending'), { spec, requestedAgo: 6 });
    expect(decideClaims(own)).toMatchObject({ kind: 'fail', failure: { reason: 'NotBound' } });
  });

  it('wait for their first consumer without a deadline', () => {
    const facts = factsOf(waiting, found('Pending', waiting), { requestedAgo: 100_000 });
    expect(decideClaims(facts)).toMatchObject({
      kind: 'wait',
      reason: 'claim new waits for its first consumer',
    });
  });

  it('fail the restore at the deadline although another one waits for its first consumer', () => {
    const facts = factsOf(waiting, found('Pending', waiting), { requestedAgo: 601 });
    const late = { ...planned, claimName: 'late' };
    const claims = [...(facts.restore.status?.claims ?? []), late];
    const restore = { ...facts.restore, status: { ...facts.restore.status, claims } };
    const both = { ...facts, restore, claims: [...facts.claims, found('Pending')] };
    const failure = {
      reason: 'NotBound',
      message: expect.stringContaining('Claim late') as string,
    };
    expect(decideClaims(both)).toEqual({ kind: 'fail', failure });
  });

  it('are ready for a hook pod that is their first consumer, and waited for after it', () => {
    const facts = factsOf(waiting, found('Pending', waiting), { spec: { verify } });
    expect(decideClaims(facts)).toEqual({ kind: 'claimsReady' });
    expect(claimsToBind(facts)).toMatchObject({ kind: 'wait' });
    const mounts = [{ sourceClaimName: 'other', path: '/o' }];
    const other = factsOf(waiting, found('Pending', waiting), {
      spec: { verify: [{ name: 'check', pod: { image: 'i', mounts } }] },
    });
    expect(decideClaims(other)).toMatchObject({ kind: 'wait' });
  });

  it('are not waited for at the end of a rehearsal', () => {
    const facts = factsOf(waiting, found('Pending', waiting), { spec: { verify, scratch: true } });
    expect(claimsToBind(facts)).toBeNull();
  });

  it.each<[string, ClaimFacts]>([
    ['was deleted', { claim: null, waitsForConsumer: false }],
    ['was replaced', { ...found('Bound'), claim: { metadata: { uid: 'other' } } }],
    ['lost its volume', found('Lost')],
  ])('fail the restore if one %s', (_, seen) => {
    expect(decideClaims(factsOf({}, seen))).toMatchObject({ failure: { reason: 'ClaimLost' } });
  });

  it('are created one after the other (SNAP-V5)', () => {
    const facts = factsOf({}, found('Pending'));
    const { claimUID: _uid, ...next } = planned;
    const claims = [planned, next, next];
    const restore = { ...facts.restore, status: { ...facts.restore.status, claims } };
    expect(decideClaims({ ...facts, restore })).toEqual({ kind: 'createClaim', index: 1 });
  });

  it('are looked at again at their deadline, and every 30 s before it', () => {
    const reason = 'claim new is not bound';
    const wait = (requestedAgo: number): unknown =>
      decideClaims(factsOf({}, found('Pending'), { requestedAgo }));
    expect(wait(10)).toEqual({ kind: 'wait', ms: 30_000, reason });
    expect(wait(599)).toEqual({ kind: 'wait', ms: 1_000, reason });
    const message =
      'Claim new was not bound within 600 s: see its events (kubectl describe pvc new), or raise bindDeadlineSeconds.';
    expect(wait(600)).toEqual({ kind: 'fail', failure: { reason: 'NotBound', message } });
  });

  it('say which one was lost', () => {
    const message =
      'Claim new was deleted, replaced or lost its volume during the restore: start another restore.';
    expect(decideClaims(factsOf({}, { claim: null, waitsForConsumer: false }))).toEqual({
      kind: 'fail',
      failure: { reason: 'ClaimLost', message },
    });
  });

  it('are recorded when they wait for a consumer, and when they are bound', () => {
    const { bound: _bound, waitsForConsumer: _waits, ...created } = planned;
    const facts = factsOf({}, found('Pending', waiting));
    const claims = [created];
    const restore = { ...facts.restore, status: { ...facts.restore.status, claims } };
    expect(decideClaims({ ...facts, restore })).toEqual({
      kind: 'recordClaims',
      claims: facts.claims,
    });
    const pending = [found('Pending')];
    expect(decideClaims({ ...facts, restore, claims: pending })?.kind).toBe('wait');
  });

  it.each<[string, Partial<SnapshotRestoreSpec>, string]>([
    ['a pod that mounts it among others', { verify: mounting('other', 'data') }, 'claimsReady'],
    ['a pod after the restore', { postRestore: verify }, 'claimsReady'],
    ['no pod that mounts nothing', { verify: mounting() }, 'wait'],
    [
      'no command in a pod',
      { verify: [{ name: 'check', exec: { podName: 'p', command: ['c'] } }] },
      'wait',
    ],
    ['no pod before the restore', { preRestore: verify }, 'wait'],
  ])('have as first consumer %s', (...[, spec, kind]) => {
    const facts = factsOf(waiting, found('Pending', waiting), { spec });
    expect(decideClaims(facts)?.kind).toBe(kind);
  });

  it('have a deadline in spite of a consumer, if their class binds them at once', () => {
    const late = factsOf({}, found('Pending'), { spec: { verify }, requestedAgo: 700 });
    expect(decideClaims(late)).toMatchObject({ failure: { reason: 'NotBound' } });
  });
});
