/** What the judges of a guard look at: the court of all, the guard of the scene, and what other clients asked for. */
import type { Court } from './judge.ts';
import type { GuardPlan } from './guard-scene.ts';
import type { ThirdPartyRequest } from './third-parties.ts';

export interface GuardCourt extends Court {
  readonly guard: GuardPlan;
  /** undefined: no client has asked for an object with this UID. */
  readonly requestOf: (uid: string) => ThirdPartyRequest | undefined;
}

export function violateGuard({ world }: GuardCourt, invariant: string, why: string): void {
  world.violate(invariant, `the guard: ${why}`);
}

/** Whether each hook freezes, and stays frozen long enough, where no fault happens. */
export function isPlainGuard({ guard, troubles }: GuardCourt): boolean {
  return (
    troubles.size === 0 &&
    guard.hooks.every(({ actions, thaws }) => thaws && (actions.expirationSeconds ?? 60) >= 30)
  );
}
