/**
 * What becomes of an object whose owners were looked for on the server just now. Pure.
 *
 * - As long as one owner stays, the object stays; references to owners that do not are taken off it.
 * - Where all owners are gone, it is deleted, in the way its own finalizers ask for.
 * - Where the last of them goes in the foreground, so does the object, if anything depends on it.
 * - What blocks itself in a circle is let go.
 */
import type { OwnerReference } from '../../../../../src/kube/object.ts';

/** What a reference leads to. `waiting`: the owner goes when its dependents have gone. */
export type OwnerState = 'solid' | 'dangling' | 'waiting';

export interface OwnedFacts {
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  readonly finalizers: readonly string[];
  readonly hasDependents: boolean;
  /** One of its dependents goes in the foreground itself. */
  readonly dependentWaits: boolean;
}

export type OwnedDecision =
  | { readonly kind: 'keep' }
  /** The references that stay. */
  | { readonly kind: 'rewrite'; readonly owners: readonly OwnerReference[] }
  | {
      readonly kind: 'delete';
      readonly policy: 'Foreground' | 'Background' | 'Orphan';
      /** First let its owners go without it. */
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
