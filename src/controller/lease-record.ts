/** The words of a Lease object, and what a candidate decides from them. Pure. */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import { microTimeText } from './kube-time.ts';

/** How long others leave a lease alone after its last renewal that they saw. */
export interface LeaseTimes {
  readonly durationMs: number;
  /** A leader that could not renew for so long stops. */
  readonly renewDeadlineMs: number;
  /** Between two tries. */
  readonly retryMs: number;
}

/** What stock controllers use. */
export const DEFAULT_LEASE_TIMES: LeaseTimes = {
  durationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryMs: 2_000,
};

/** Tries are spread by up to this part of their interval. */
export const JITTER = 0.2;

/**
 * The lease as it was last seen to change, and when, on our own monotonic clock. What others' clocks
 * wrote into it is never compared with ours; that it was written is enough.
 */
export interface Sighting {
  readonly lease: Lease;
  readonly seenMs: number;
}

/** Seeing the same version again does not move the time. */
export function sight(before: Sighting | null, lease: Lease, nowMs: number): Sighting {
  const same = before !== null && versionOf(before.lease) === versionOf(lease);
  return { lease, seenMs: same ? before.seenMs : nowMs };
}

function versionOf({ metadata }: Lease): string {
  return `${metadata?.uid} ${metadata?.resourceVersion}`;
}

/** Whether both were written by one process in one stroke. */
export function sameStroke(a: LeaseSpec = {}, b: LeaseSpec = {}): boolean {
  return sameTerm(a, b) && a.renewTime === b.renewTime;
}

export function sameTerm(a: LeaseSpec = {}, b: LeaseSpec = {}): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.leaseTransitions === b.leaseTransitions &&
    a.acquireTime === b.acquireTime
  );
}

/**
 * How long a candidate still has to wait; 0: it may take the lease now.
 *
 * Worked example: seen changed at 40 000 ms, the holder asks for 15 s; at 47 000 ms 8 000 are left, at
 * 55 000 ms none. A lease that was given away (no holder) is free at once.
 */
export function remainingMs(
  { lease, seenMs }: Sighting,
  { nowMs, ownMs }: { readonly nowMs: number; readonly ownMs: number },
): number {
  const { holderIdentity = '', leaseDurationSeconds = 0 } = lease.spec ?? {};
  if (holderIdentity === '') return 0;
  const durationMs = leaseDurationSeconds > 0 ? leaseDurationSeconds * 1_000 : ownMs;
  return Math.max(0, seenMs + durationMs - nowMs);
}

export interface Claim {
  readonly identity: string;
  readonly times: LeaseTimes;
  readonly wallMs: number;
}

/** A term begins with the next number, even after one of our own: no two terms share a token. */
export function claimed(before: LeaseSpec | null, { identity, times, wallMs }: Claim): LeaseSpec {
  const now = microTimeText(wallMs);
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(times.durationMs / 1_000),
    acquireTime: now,
    renewTime: now,
    leaseTransitions: before === null ? 0 : (before.leaseTransitions ?? 0) + 1,
  };
}

export function renewed(spec: LeaseSpec, wallMs: number): LeaseSpec {
  return { ...spec, renewTime: microTimeText(wallMs) };
}

/** Free for anybody; its number stays, so that the next term counts on. */
export function released(spec: LeaseSpec, wallMs: number): LeaseSpec {
  return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTimeText(wallMs) };
}
