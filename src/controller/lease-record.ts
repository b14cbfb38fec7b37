/** The fields of a Lease object, and the decisions of a candidate about them. Pure. */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import { microTimeText } from './kube-time.ts';

/**
 * The times of a leader election, milliseconds. Other processes do not take the Lease until `durationMs` after the last
 * renewal that they saw.
 */
export interface LeaseTimes {
  readonly durationMs: number;
  /** A leader stops leading when it could not renew for this time. */
  readonly renewDeadlineMs: number;
  /** The pause between two attempts. */
  readonly retryMs: number;
}

/** The defaults of the standard Kubernetes controllers. */
export const DEFAULT_LEASE_TIMES: LeaseTimes = {
  durationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryMs: 2_000,
};

/** Attempts are spread at random by up to this fraction of their interval. */
export const JITTER = 0.2;

/**
 * The last seen version of the Lease, and when it was first seen, in milliseconds of our monotonic clock. Times that
 * other processes wrote are never compared with our clock: only the fact that they wrote counts.
 */
export interface Sighting {
  readonly lease: Lease;
  readonly seenMs: number;
}

/** Records that the Lease was seen. The time changes only with the version. */
export function sight(before: Sighting | null, lease: Lease, nowMs: number): Sighting {
  const same = before !== null && versionOf(before.lease) === versionOf(lease);
  return { lease, seenMs: same ? before.seenMs : nowMs };
}

function versionOf({ metadata }: Lease): string {
  return `${metadata?.uid} ${metadata?.resourceVersion}`;
}

/** Whether both records are from the same write of one process. */
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
 * Milliseconds that a candidate still has to wait; 0: it may take the Lease now.
 *
 * Example: the change was seen at 40 000 ms, and the holder asks for 15 s. At 47 000 ms, 8 000 ms are left; at 55 000
 * ms none. A released Lease (without a holder) is free at once.
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

/**
 * The record of a new term. Each term gets the next number, even after a term of this process: no two terms share a
 * token.
 */
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

/** The record of a released Lease. It keeps its number, so that the next term continues from it. */
export function released(spec: LeaseSpec, wallMs: number): LeaseSpec {
  return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTimeText(wallMs) };
}
