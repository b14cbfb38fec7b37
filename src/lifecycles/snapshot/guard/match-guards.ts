/** Finds the guard of a requested snapshot by the labels of its claims (SNAP-W7, SNAP-W10). Pure. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { matchesLabels } from '../../../kube/label-selector.ts';
import type { SnapshotGuard } from '../kinds.ts';

export interface RequestedClaim {
  readonly name: string;
  /** null: the claim does not exist. */
  readonly claim: PersistentVolumeClaim | null;
}

export type GuardMatch =
  | { readonly kind: 'none' }
  | { readonly kind: 'guard'; readonly guard: SnapshotGuard }
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string };

/**
 * Finds the guards whose selector matches a claim. `guards`: all guards of the namespace. `claims`: those of the
 * request; empty for a group whose labels no claim has.
 */
export function matchGuards(
  guards: readonly SnapshotGuard[],
  claims: readonly RequestedClaim[],
): GuardMatch {
  if (guards.length === 0) return { kind: 'none' };
  const missing = claims.find(({ claim }) => claim === null);
  if (missing !== undefined || claims.length === 0) return noClaim(guards, missing?.name);
  const selecting = guards.filter((guard) => claims.some(({ claim }) => selects(guard, claim)));
  const [guard, ...others] = selecting;
  if (guard === undefined) return { kind: 'none' };
  if (others.length === 0) return guardOrPartly(guard, claims);
  const names = selecting.map(({ metadata }) => metadata?.name ?? '').join(', ');
  const of = claims.map(({ name }) => name).join(', ');
  const message = `SnapshotGuards ${names} select claims of this snapshot (${of}), but one freeze has one guard. Change their claimSelector, so that one guard selects them.`;
  return { kind: 'refused', reason: 'SeveralGuards', message };
}

export function selects({ spec }: SnapshotGuard, claim: PersistentVolumeClaim | null): boolean {
  if (claim === null) return false;
  const { claimSelector } = spec;
  return claimSelector === undefined || matchesLabels(claimSelector, claim.metadata?.labels ?? {});
}

/**
 * Refuses a group with claims outside the guard: a group is of one moment, and the guard freezes only its own claims.
 */
function guardOrPartly(guard: SnapshotGuard, claims: readonly RequestedClaim[]): GuardMatch {
  const other = claims.find(({ claim }) => !selects(guard, claim));
  if (other === undefined) return { kind: 'guard', guard };
  const message = `claim ${other.name} is part of this group, but SnapshotGuard ${guard.metadata?.name ?? ''} does not select it. Change the claimSelector, or the labels of the group.`;
  return { kind: 'refused', reason: 'PartlyGuarded', message };
}

/**
 * Refuses: the snapshot would be cut whenever the claim is created, and the guard of the claim is not known before
 * that.
 */
function noClaim(guards: readonly SnapshotGuard[], name: string | undefined): GuardMatch {
  const what =
    name === undefined ? 'no claim has the labels of its selector' : `claim ${name} does not exist`;
  const names = guards.map(({ metadata }) => metadata?.name ?? '').join(', ');
  const message = `${what}, and SnapshotGuard ${names} guards claims of this namespace. Create the claim first.`;
  return { kind: 'refused', reason: 'NoClaim', message };
}
