/**
 * Judges the controllers by what really happened. docs/requirements/snapshot.md has each requirement:
 *
 *  SNAP-I1  Every container that a freeze was sent to is thawed in the end, deleted, or marked as thawed by hand.
 *  SNAP-I2  ApplicationConsistent: the snapshot's hooks kept all targets frozen while all volumes were cut.
 *  SNAP-I3  A command is recorded in the status before it is sent.
 *  SNAP-I4  A thaw is sent only to a target for which a freeze was intended.
 *  SNAP-I5  While a controller runs, a freeze that expires is thawed in time.
 *  SNAP-I6  A recorded result never changes.
 *  SNAP-I7  The summary of a hook agrees with the freezes of its targets.
 *  SNAP-I8  A hook has its finalizer from before its first freeze until none of its targets is frozen.
 *  SNAP-I9  An application has one freeze at a time, and no hook thaws the freeze of another hook.
 *  SNAP-I10 Targets and actions of a hook never change after it has started.
 *  SNAP-I11 Hooks freeze in order, and thaw in reverse order.
 *  SNAP-I12 Volumes are cut once, after all hooks have frozen. Unused VolumeSnapshots are deleted.
 *  SNAP-I13 A success is recorded only if a controller has received it, never as a guess.
 *  SNAP-I14 Only the leader sends commands.
 *  SNAP-I15 A failed thaw blocks no other thaw.
 *  SNAP-I16 A target in a pod that begins to terminate is thawed at once.
 *  SNAP-I17 A hook waits for a missing template until its limit, and no longer.
 *  SNAP-I18 A snapshot is reported as cut as soon as the contents of its volumes say so, and never before.
 *  SNAP-I19 A hook waits for pods that are created after it, and does not fail if they are created in time.
 *  SNAP-I20 All objects reach their terminal state, and nothing is left behind.
 *  SNAP-I21 The recorded cause of a thaw really existed.
 *  SNAP-I22 A snapshot with a volume that was copied file by file is not consistent.
 *  SNAP-I23 A snapshot is not consistent if one of its VolumeSnapshots was deleted.
 *  SNAP-G23 The roles of the controllers grant each of their writes.
 *  SNAP-CASE22, SNAP-CASE30 The wait for a missing cut ends at its deadline, and not before.
 *  SNAP-CASE39 A snapshot that lacks a volume is not consistent.
 */
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import type { Application } from './application.ts';
import type { Disturbances } from './disturbances.ts';
import type { Trouble } from './faults.ts';
import type { HookView, HookViews } from './hook-views.ts';
import { TAKEN_ON } from '../../../src/lifecycles/snapshot/names.ts';
import type { HookPlan } from './hook-plans.ts';
import type { Scene } from './scene.ts';
import type { SimCluster } from './sim-cluster.ts';

/** Facts that all judges use. */
export interface Court {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  readonly views: HookViews;
  readonly scene: Scene;
  readonly cluster: SimCluster;
  /** The hooks whose templates do not exist from the start, keyed by tag. */
  readonly late: ReadonlyMap<string, unknown>;
  readonly applications: () => readonly Application[];
  readonly planOf: (tag: string) => HookPlan;
  readonly disturbances: Disturbances;
  /** All troubles of the seed, even if they have ended. */
  readonly troubles: ReadonlySet<Trouble>;
}

export function isTakenOn({ hook }: HookView): boolean {
  return hook.metadata?.annotations?.[TAKEN_ON] !== undefined;
}

/** The application of this container, in any of its runs. */
export function applicationOf(
  { applications }: Court,
  { podUID, containerName }: { readonly podUID: string; readonly containerName: string },
): Application | undefined {
  return applications().find(({ is }) => is.podUid === podUID && is.container === containerName);
}

const SLOW: readonly Trouble[] = [
  'network',
  'kills',
  'replicas',
  'clocks',
  'serverCuts',
  'restores',
];

/** True if any trouble of the seed, except those of the server, may delay a controller. */
export function isSlow({ troubles }: Court): boolean {
  return SLOW.some((trouble) => troubles.has(trouble));
}

/** True if anything may have delayed a controller between these times. */
export function mayBeLate(court: Court, fromMs: number, toMs?: number): boolean {
  return isSlow(court) || court.disturbances.isAny(fromMs, toMs);
}

export function isBeforeRestore({ disturbances }: Court, atMs: number): boolean {
  return disturbances.isBeforeRestore(atMs);
}

/**
 * True if the application was thawed before a restore of the server. The restored record says that it is still frozen.
 * Without a probe or a session helper, no controller can find out that it is not.
 */
export function isThawForgotten(
  court: Court,
  application: Application,
  tags: ReadonlySet<string>,
): boolean {
  const isLost = application.freezes.some(({ tag, endedMs }) => {
    if (!tags.has(tag) || endedMs === null || !isBeforeRestore(court, endedMs)) return false;
    const { probed, held } = court.planOf(tag);
    return !probed && !held;
  });
  return isLost && !isFrozenAgain(court, application, tags);
}

function isFrozenAgain(court: Court, application: Application, tags: ReadonlySet<string>): boolean {
  return court.account.commands.some(
    ({ verb, tag, application: reached, atMs }) =>
      verb === 'freeze' &&
      tags.has(tag) &&
      reached === application &&
      !isBeforeRestore(court, atMs),
  );
}
