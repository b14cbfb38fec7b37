/** Decides the step of a restore while its claims are created and bound (SNAP-V6, SNAP-V7). Pure. */
import type { ClaimFacts, RestoreFacts } from './facts.ts';
import type { RestoredClaim, SnapshotRestore } from './kinds.ts';
import type { RestoreStep } from './step.ts';

const DEFAULT_BIND_SECONDS = 600;
/** Milliseconds. The watch reports each change of a claim; this interval covers a missed report. */
const LOOK_MS = 30_000;

/** null: the claims are ready for the hooks. */
export function decideClaims(facts: RestoreFacts): RestoreStep | null {
  const { restore } = facts;
  const { claimsRequestedAt, claimsReadyAt, claims = [] } = restore.status ?? {};
  if (claimsReadyAt !== undefined) return null;
  if (claimsRequestedAt === undefined) return { kind: 'requestClaims' };
  const next = claims.findIndex(({ claimUID }) => claimUID === undefined);
  if (next !== -1) return { kind: 'createClaim', index: next };
  const unbound = bindStep(facts, (claim) => hasConsumer(restore, claim));
  return unbound ?? { kind: 'claimsReady' };
}

/** The step that waits for unbound claims, after the hooks. null: every claim is bound, or will be deleted. */
export function claimsToBind(facts: RestoreFacts): RestoreStep | null {
  if (facts.restore.spec.scratch === true) return null;
  return bindStep(facts, () => false);
}

/**
 * The step for claims that are not bound. null: every claim is bound, or waits for its consumer and `mayWait` allows
 * that.
 */
function bindStep(
  facts: RestoreFacts,
  mayWait: (claim: RestoredClaim) => boolean,
): RestoreStep | null {
  const { restore, claims: found } = facts;
  const { claims = [] } = restore.status ?? {};
  const lost = claims.find((claim, index) => isLost(claim, found[index]));
  if (lost !== undefined) {
    const message = `Claim ${lost.claimName} was deleted, replaced or lost its volume during the restore: start another restore.`;
    return { kind: 'fail', failure: { reason: 'ClaimLost', message } };
  }
  if (claims.some((claim, index) => isOutdated(claim, found[index]))) {
    return { kind: 'recordClaims', claims: found };
  }
  const unbound = claims.filter((claim) => claim.bound !== true);
  // Prefers a claim that does not wait for its first consumer: only such a claim has a deadline (SNAP-V7).
  const open = unbound.find(({ waitsForConsumer }) => waitsForConsumer !== true);
  if (open === undefined) {
    const waiting = unbound.find((claim) => !mayWait(claim));
    if (waiting === undefined) return null;
    const reason = `claim ${waiting.claimName} waits for its first consumer`;
    return { kind: 'wait', ms: LOOK_MS, reason };
  }
  const seconds = bindSecondsOf(restore);
  const restMs = restOfBinding(facts);
  if (restMs > 0) {
    const reason = `claim ${open.claimName} is not bound`;
    return { kind: 'wait', ms: Math.min(LOOK_MS, restMs), reason };
  }
  const message = `Claim ${open.claimName} was not bound within ${seconds} s: see its events (kubectl describe pvc ${open.claimName}), or raise bindDeadlineSeconds.`;
  return { kind: 'fail', failure: { reason: 'NotBound', message } };
}

export function bindSecondsOf({ spec }: SnapshotRestore): number {
  return spec.bindDeadlineSeconds ?? DEFAULT_BIND_SECONDS;
}

/** Milliseconds until the deadline for binding the claims; 0 or less after it. */
export function restOfBinding({ restore, nowMs }: Pick<RestoreFacts, 'restore' | 'nowMs'>): number {
  const { claimsRequestedAt = '' } = restore.status ?? {};
  return Date.parse(claimsRequestedAt) + bindSecondsOf(restore) * 1_000 - nowMs;
}

function isLost({ claimUID }: RestoredClaim, found: ClaimFacts | undefined): boolean {
  const claim = found?.claim;
  return claim?.metadata?.uid !== claimUID || claim?.status?.phase === 'Lost';
}

function isOutdated(claim: RestoredClaim, found: ClaimFacts | undefined): boolean {
  const bound = found?.claim?.status?.phase === 'Bound';
  const waits = found?.waitsForConsumer === true;
  return (claim.bound ?? false) !== bound || (claim.waitsForConsumer ?? false) !== waits;
}

/** Whether a hook pod mounts the claim, and so is its first consumer. */
function hasConsumer({ spec }: SnapshotRestore, { sourceClaimName }: RestoredClaim): boolean {
  const hooks = [...(spec.postRestore ?? []), ...(spec.verify ?? [])];
  return hooks.some(({ pod }) => {
    if (pod === undefined) return false;
    const { mounts } = pod;
    return (
      mounts === undefined || mounts.some((mount) => mount.sourceClaimName === sourceClaimName)
    );
  });
}
