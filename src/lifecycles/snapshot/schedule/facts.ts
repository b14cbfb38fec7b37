/** Gathers the current state of one schedule as one value. */
import { keyText } from '../../../controller/object-key.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { identify } from '../app/identify.ts';
import type { Informer } from '../../../controller/informer.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { type SnapshotRestore, snapshotRestores } from '../restore/kinds.ts';
import type { ScheduleCaches } from './caches.ts';
import type { CheckedSpec, CheckedSpecs } from './checked-spec.ts';
import { type SnapshotState, stateOf } from './judge-snapshot.ts';
import type { ActiveRun, SnapshotSchedule } from './kinds.ts';
import { scheduledMsOf } from './made-runs.ts';
import { ownRehearsals, type RehearsalFacts } from './rehearsals.ts';
import type { Ended } from './retention.ts';

export interface OwnSnapshot extends Ended {
  readonly snapshot: ApplicationSnapshot;
  readonly state: SnapshotState;
}

export interface ActiveFacts {
  readonly entry: ActiveRun;
  /** null: the snapshot was deleted. */
  readonly snapshot: ApplicationSnapshot | null;
}

export interface ScheduleFacts extends CheckedSpec {
  readonly schedule: SnapshotSchedule;
  readonly snapshotUids: readonly string[];
  /** The snapshots in the cache that this schedule created, and that still have its marks. */
  readonly own: readonly OwnSnapshot[];
  /** One entry for each of `status.active`. */
  readonly active: readonly ActiveFacts[];
  /** The restores with the marks of a rehearsal of this schedule, as the cache has them; the newest first. */
  readonly ownRehearsals: readonly SnapshotRestore[];
  /** One entry for each of `status.rehearsal.active`. */
  readonly rehearsing: readonly RehearsalFacts[];
  readonly nowMs: number;
}

export interface GatherOptions {
  readonly caches: ScheduleCaches;
  readonly specs: CheckedSpecs;
  readonly client: Pick<KubeClient, 'get'>;
  readonly nowMs: number;
}

export async function gatherFacts(
  { caches, specs, client, nowMs }: GatherOptions,
  schedule: SnapshotSchedule,
): Promise<ScheduleFacts> {
  const { namespace, name } = identify(schedule);
  const key = keyText({ namespace, name });
  const { active = [], rehearsal = {} } = schedule.status ?? {};
  const find = <T extends KubeObject>(
    cache: Pick<Informer<T>, 'get'>,
    resource: Resource<T>,
    entry: ActiveRun,
  ): Promise<T | null> => findRun({ client, cache, resource, namespace }, entry);
  const found: ActiveFacts[] = [];
  for (const entry of active) {
    const snapshot = await find(caches.snapshots, applicationSnapshots, entry);
    found.push({ entry, snapshot });
  }
  const rehearsing: RehearsalFacts[] = [];
  for (const entry of rehearsal.active ?? []) {
    rehearsing.push({ entry, restore: await find(caches.restores, snapshotRestores, entry) });
  }
  const snapshotUids = uidsOf(schedule, caches.snapshotsOf(key));
  return {
    ...specs.of(schedule.spec),
    schedule,
    snapshotUids,
    own: ownSnapshots({ schedule, snapshotUids }, caches.snapshotsOf(key)),
    active: found,
    ownRehearsals: ownRehearsals(schedule, caches.restoresOf(key)),
    rehearsing,
    nowMs,
  };
}

interface Finding<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'get'>;
  readonly cache: Pick<Informer<T>, 'get'>;
  readonly resource: Resource<T>;
  readonly namespace: string;
}

/**
 * Finds the run. If the cache lacks it, or has an earlier object of its name, asks the server: the run may be new.
 * null: the run was deleted or replaced.
 */
async function findRun<T extends KubeObject>(
  { client, cache, resource, namespace }: Finding<T>,
  { name, uid }: ActiveRun,
): Promise<T | null> {
  const key = { namespace, name };
  const known = cache.get(keyText(key));
  const found = known?.metadata?.uid === uid ? known : await getOrNull(client, resource, key);
  return found?.metadata?.uid === uid ? found : null;
}

/**
 * UIDs of the snapshots that the schedule created. A status that an earlier version of Lifehook wrote has none: then
 * every snapshot with the schedule's marks is adopted once (SNAP-T23).
 */
function uidsOf(
  schedule: SnapshotSchedule,
  snapshots: readonly ApplicationSnapshot[],
): readonly string[] {
  const { snapshotUIDs, observedGeneration } = schedule.status ?? {};
  if (snapshotUIDs !== undefined || observedGeneration === undefined) return snapshotUIDs ?? [];
  return snapshots
    .filter((snapshot) => scheduledMsOf(schedule, 'snapshot', snapshot) !== null)
    .map((snapshot) => identify(snapshot).uid);
}

/** The snapshots that the schedule created, by their UIDs, and that still have its marks. */
export function ownSnapshots(
  { schedule, snapshotUids }: Pick<ScheduleFacts, 'schedule' | 'snapshotUids'>,
  snapshots: readonly ApplicationSnapshot[],
): readonly OwnSnapshot[] {
  const uids = new Set(snapshotUids);
  return snapshots.flatMap((snapshot) => {
    const scheduledMs = scheduledMsOf(schedule, 'snapshot', snapshot);
    if (scheduledMs === null || !uids.has(identify(snapshot).uid)) return [];
    const state = stateOf(snapshot);
    const isGood = state === 'Good';
    const isConsistent = isGood && snapshot.status?.verdict?.value === 'ApplicationConsistent';
    return [{ snapshot, scheduledMs, state, isGood, isConsistent }];
  });
}
