/**
 * Judges the controllers by what really happened. docs/requirements/snapshot.md has each requirement:
 *
 *  SNAP-I1  Every container that a freeze was sent to is thawed in the end, deleted, or marked as thawed by hand.
 *  SNAP-I2  ApplicationConsistent: frozen without a break while all volumes were cut, by the snapshot's hooks.
 *  SNAP-I3  A command is recorded in the status before it is sent.
 *  SNAP-I4  No thaw where no freeze was meant.
 *  SNAP-I5  A freeze that expires is thawed in time, where a controller runs.
 *  SNAP-I6  A record never changes.
 *  SNAP-I7  The summary of the freezes agrees with them.
 *  SNAP-I8  The finalizer is there from before the first freeze until nothing is frozen.
 *  SNAP-I9  One freeze at a time, and no hook thaws another's.
 *  SNAP-I10 Targets and actions never change.
 *  SNAP-I11 Hooks freeze in order, and thaw in reverse order.
 *  SNAP-I12 Volumes are cut when all hooks have frozen, once, and unused VolumeSnapshots are deleted.
 *  SNAP-I13 Success is what a controller has received, never a guess.
 *  SNAP-I14 Only the leader sends anything.
 *  SNAP-I15 A thaw that fails blocks nothing else.
 *  SNAP-I16 A target in a pod that begins to terminate is thawed at once.
 *  SNAP-I17 A hook waits for its template as long as it may, and no longer.
 *  SNAP-I18 A snapshot is reported as cut as soon as the contents of its volumes say so, and never before.
 *  SNAP-I19 A hook waits for pods that are created after it, where it may.
 *  SNAP-I20 Everything reaches its terminal state, and nothing is left behind.
 *  SNAP-I21 The recorded cause of a thaw was present.
 *  SNAP-I22 A volume that was copied file by file makes no snapshot consistent.
 *  SNAP-I23 A snapshot is not consistent when what was cut for it was deleted.
 *  SNAP-CASE22, SNAP-CASE30 A missing cut is given up at its deadline, and not before.
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

/** Facts for all judges. */
export interface Court {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  readonly views: HookViews;
  readonly scene: Scene;
  readonly cluster: SimCluster;
  /** Tags of the hooks whose templates do not exist from the start. */
  readonly late: ReadonlyMap<string, unknown>;
  readonly applications: () => readonly Application[];
  readonly planOf: (tag: string) => HookPlan;
  readonly disturbances: Disturbances;
  /** Troubles of the whole seed, whether or not they have ended by now. */
  readonly troubles: ReadonlySet<Trouble>;
}

export function isTakenOn({ hook }: HookView): boolean {
  return hook.metadata?.annotations?.[TAKEN_ON] !== undefined;
}

/** The application of the chosen container, in any of its runs. */
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

/** True if anything in this seed may delay a controller, besides the server. */
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
 * These hooks have frozen it, and the restored server has lost the record of its thaw: by the record it is still
 * frozen. Without a probe or a session helper, no controller can know that it is not.
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
