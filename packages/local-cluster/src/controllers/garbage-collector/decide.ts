/**
 * Decides what happens to an object, given the owners that the server has just returned. Pure.
 *
 * - While one owner exists, the object is kept. References to owners that do not exist are removed.
 * - If no owner exists, the object is deleted with the propagation policy that its own finalizers ask for.
 * - If an owner waits for its dependents and no other owner exists, an object with dependents is deleted in the
 *   foreground.
 * - Objects that block each other in a cycle are unblocked.
 */
import type { OwnerReference } from '../../../../../src/kube/object.ts';

/**
 * State of a referenced owner: it exists, it does not exist, or it is deleted in the foreground and waits for its
 * dependents.
 */
export type OwnerState = 'solid' | 'dangling' | 'waiting';

export interface OwnedFacts {
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  readonly finalizers: readonly string[];
  readonly hasDependents: boolean;
  /** True if one of the object's dependents is being deleted in the foreground. */
  readonly dependentWaits: boolean;
}

export type OwnedDecision =
  | { readonly kind: 'keep' }
  /** `owners`: the references that remain. */
  | { readonly kind: 'rewrite'; readonly owners: readonly OwnerReference[] }
  | {
      readonly kind: 'delete';
      readonly policy: 'Foreground' | 'Background' | 'Orphan';
      /** True if the object must stop blocking its owners before it is deleted. */
      readonly unblock: boolean;
    };

export function decideOwned(facts: OwnedFacts): OwnedDecision {
  const { owners, finalizers, hasDependents, dependentWaits } = facts;
  if (owners.length === 0) return { kind: 'keep' };
  const solid = owners.filter(({ state }) => state === 'solid');
  if (solid.length === owners.length) return { kind: 'keep' };
  if (solid.length > 0) {
    return { kind: 'rewrite', owners: solid.map(({ reference }) => reference) };
  }
  if (owners.some(({ state }) => state === 'waiting') && hasDependents) {
    return { kind: 'delete', policy: 'Foreground', unblock: dependentWaits };
  }
  return { kind: 'delete', policy: ownPolicy(finalizers), unblock: false };
}

function ownPolicy(finalizers: readonly string[]): 'Foreground' | 'Background' | 'Orphan' {
  if (finalizers.includes('orphan')) return 'Orphan';
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background';
}
