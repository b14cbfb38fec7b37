/**
 * What is demanded of the controllers, by what really happened. The numbers are those of the reference:
 *
 *  I1  Whatever a freeze was sent to is thawed in the end, gone, or taken on by a person.
 *  I2  ApplicationConsistent: frozen without a break while all volumes were cut, by the snapshot's hooks.
 *  I3  What is sent stands in the status before.
 *  I4  No thaw where no freeze was meant.
 *  I5  A freeze that expires is thawed in time, where a controller is there.
 *  I6  What was told once stays.
 *  I7  The summary of the freezes is what they are.
 *  I8  The finalizer is there from before the first freeze until nothing is frozen.
 *  I9  One freeze at a time, and nobody thaws another's.
 *  I10 Targets and actions stay what they were at the beginning.
 *  I11 Hooks freeze in order, and thaw in the other one.
 *  I12 Volumes are cut when all hooks have frozen, once, and what was made in vain goes.
 *  I13 Success is what somebody was told of, never a guess.
 *  I14 Only who leads sends anything.
 *  I15 A thaw that fails is in nobody's way.
 *  I16 What is frozen in a pod that begins to terminate is thawed at once.
 *  I17 A hook waits for its template as long as it may, and no longer.
 *  I18 A snapshot is called cut when the contents of its volumes say so: never before, and at once then.
 *  End Everything comes to its end, and nothing is left behind.
 */
import { SERVER_TROUBLES } from '../controller/server-troubles.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import type { Application } from './application.ts';
import type { Trouble } from './faults.ts';
import type { HookView, HookViews } from './hook-views.ts';
import { TAKEN_ON } from '../../../src/lifecycles/snapshot/names.ts';
import type { HookPlan, Scene } from './scene.ts';
import type { SimCluster } from './sim-cluster.ts';

/** What all judges look at. */
export interface Court {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  readonly views: HookViews;
  readonly scene: Scene;
  readonly cluster: SimCluster;
  /** Tags of the hooks whose templates are not there from the beginning. */
  readonly late: ReadonlyMap<string, unknown>;
  readonly applications: () => readonly Application[];
  readonly planOf: (tag: string) => HookPlan;
  /** When the server was put back to an older state; minus infinity: it was not. */
  readonly restoredMs: () => number;
  /** Of the whole seed, whether or not it has ended by now. */
  readonly troubles: ReadonlySet<Trouble>;
}

export function isTakenOn({ hook }: HookView): boolean {
  return hook.metadata?.annotations?.[TAKEN_ON] !== undefined;
}

/** Of the container that was chosen, in any of its runs. */
export function applicationOf(
  { applications }: Court,
  { podUID, containerName }: { readonly podUID: string; readonly containerName: string },
): Application | undefined {
  return applications().find(({ is }) => is.podUid === podUID && is.container === containerName);
}

/** Of these, also a thaw. */
const SLOWEST: readonly Trouble[] = [
  'network',
  'kills',
  'replicas',
  'clocks',
  'serverCuts',
  'restores',
  'conversions',
  'silentWatches',
];

/** Whether anything in this seed may keep a controller from acting at once. */
export function mayBeLate({ troubles }: Court): boolean {
  return [...SLOWEST, ...SERVER_TROUBLES].some((trouble) => troubles.has(trouble));
}

/** Whether anything in this seed may keep a controller from a thaw: what a server refuses or loses may not. */
export function mayThawLate({ troubles }: Court): boolean {
  return SLOWEST.some((trouble) => troubles.has(trouble));
}

/** Of what happened before the server was put back to an older state, nobody may know any more. */
export function isBeforeRestore({ restoredMs }: Court, atMs: number): boolean {
  return atMs < restoredMs();
}
