/**
 * Facts for the judges of a guard: the court of all judges, the guard of the scene, and the requests of other
 * clients.
 */
import type { Court } from './judge.ts';
import type { GuardPlan } from './guard-scene.ts';
import type { ThirdPartyRequest } from './third-parties.ts';

export interface GuardCourt extends Court {
  readonly guard: GuardPlan;
  /** The request of another client that has created the object with this UID; undefined if none has. */
  readonly requestOf: (uid: string) => ThirdPartyRequest | undefined;
}

export function violateGuard({ world }: GuardCourt, invariant: string, why: string): void {
  world.violate(invariant, `the guard: ${why}`);
}

/** True if each hook freezes without faults and stays frozen long enough. */
export function isPlainGuard({ guard, troubles }: GuardCourt): boolean {
  return (
    troubles.size === 0 &&
    guard.hooks.every(({ actions, thaws }) => thaws && (actions.expirationSeconds ?? 60) >= 30)
  );
}
