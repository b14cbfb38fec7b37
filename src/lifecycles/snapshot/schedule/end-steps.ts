/** Counts snapshots that have ended, and deletes those that the retention does not keep. */
import { isTerminating } from '../../../controller/finalizers.ts';
import { again, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { identify } from '../app/identify.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { SCHEDULE } from '../names.ts';
import { type SnapshotRestore, snapshotRestores } from '../restore/kinds.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';
import type { Reported } from '../../../controller/conditions.ts';
import { waitMs } from './decide.ts';
import { deleteUnchanged } from './delete-unchanged.ts';
import { type ActiveFacts, ownSnapshots } from './facts.ts';
import { resultOf, stateOf } from './judge-snapshot.ts';
import type { SnapshotScheduleStatus } from './kinds.ts';
import { evictions } from './retention.ts';
import { counted } from './runs.ts';

export async function settle(acting: Acting, ended: readonly ActiveFacts[]): Promise<Outcome> {
  const { schedule, snapshotUids } = acting.facts;
  const { status = {} } = schedule;
  const there = new Set((await snapshotsNow(acting)).map((each) => identify(each).uid));
  const good = ended.filter(isGood);
  const active = (status.active ?? []).filter(
    ({ uid }) => !ended.some(({ entry }) => entry.uid === uid),
  );
  await writeStatus(
    acting,
    {
      ...good.reduce(withLastGood, status),
      active,
      // UIDs of deleted snapshots are removed, to make space for new ones.
      snapshotUIDs: snapshotUids.filter((uid) => there.has(uid)),
      totals: counted(status, { good: good.length, failed: ended.length - good.length }),
    },
    [lastResult(ended)].flatMap((result) => result ?? []),
  );
  for (const each of ended) {
    const isFine = isGood(each);
    const message = `ApplicationSnapshot ${each.entry.name} of ${each.entry.scheduledTime}: ${textOf(each)}.`;
    const reason = isFine ? 'SnapshotGood' : 'SnapshotFailed';
    recordEvent(acting, isFine ? 'Normal' : 'Warning', { reason, message });
  }
  return again;
}

function isGood({ snapshot }: ActiveFacts): boolean {
  return snapshot !== null && stateOf(snapshot) === 'Good';
}

/**
 * Records the good snapshot with the latest cut. Its time is that of the cut, since a restore brings back that moment.
 */
function withLastGood(
  status: SnapshotScheduleStatus,
  { snapshot }: ActiveFacts,
): SnapshotScheduleStatus {
  const { cutObservedAt, completedAt } = snapshot?.status ?? {};
  const at = cutObservedAt ?? completedAt ?? '';
  if (Date.parse(status.lastSuccessfulTime ?? '') > Date.parse(at)) return status;
  const lastSuccessfulSnapshotName = snapshot?.metadata?.name ?? '';
  return { ...status, lastSuccessfulTime: at, lastSuccessfulSnapshotName };
}

function lastResult(ended: readonly ActiveFacts[]): Reported | null {
  const last = ended
    .toSorted((a, b) => a.entry.scheduledTime.localeCompare(b.entry.scheduledTime))
    .at(-1);
  if (last === undefined) return null;
  const type = 'LastSnapshotGood';
  const message = `${last.entry.name}: ${textOf(last)}`;
  return isGood(last)
    ? { type, status: 'True', reason: 'Good', message }
    : { type, status: 'False', reason: 'Failed', message };
}

function textOf({ snapshot }: ActiveFacts): string {
  return snapshot === null ? 'it was deleted before its end was seen' : resultOf(snapshot);
}

/** Maximum number of deletions in one reconcile. */
const EVICTED_MAX = 20;

/**
 * Deletes what the retention does not keep, decided again from the server's list. A cache may still have snapshots that
 * a user has just deleted, so that another snapshot is now the last consistent one (SNAP-T15).
 */
export async function evict(acting: Acting): Promise<Outcome> {
  const { client, facts } = acting;
  const { schedule, nowMs, periodOf } = facts;
  const { retention } = schedule.spec;
  const ended = ownSnapshots(facts, await snapshotsNow(acting)).filter(
    ({ state, snapshot }) => state !== 'Active' && !isTerminating(snapshot),
  );
  const restored = await restoredNow(acting);
  const unkept = evictions({ retention, periodOf, nowMs }, ended)
    .filter(({ snapshot }) => !isSourceOf(snapshot, restored))
    .slice(0, EVICTED_MAX);
  for (const { snapshot } of unkept) {
    if (!(await deleteUnchanged(client, applicationSnapshots, snapshot))) continue;
    const { name: evicted } = identify(snapshot);
    const message = `Deleted ApplicationSnapshot ${evicted}: no rule of the retention keeps it.`;
    recordEvent(acting, 'Normal', { reason: 'Evicted', message });
  }
  const ms = unkept.length === EVICTED_MAX ? 0 : waitMs(facts);
  await writeStatus(acting, schedule.status ?? {});
  return requeueAfter(ms, 'the next scheduled time');
}

/** The snapshots on the server that name the schedule. */
async function snapshotsNow({ client, facts }: Acting): Promise<readonly ApplicationSnapshot[]> {
  const { namespace, name } = identify(facts.schedule);
  const labelSelector = `${SCHEDULE}=${name}`;
  const { items } = await client.list(applicationSnapshots, { namespace, labelSelector });
  return items;
}

/** The restores of the namespace that have not ended (SNAP-T16). */
async function restoredNow({ client, facts }: Acting): Promise<readonly SnapshotRestore[]> {
  const { namespace } = identify(facts.schedule);
  const { items } = await client.list(snapshotRestores, { namespace });
  return items.filter(({ status }) => status?.completedAt === undefined);
}

function isSourceOf(
  { metadata, status }: ApplicationSnapshot,
  restores: readonly SnapshotRestore[],
): boolean {
  const volumes = (status?.volumes ?? []).map(({ volumeSnapshotName }) => volumeSnapshotName);
  return restores.some(({ spec: { source } }) => {
    const { applicationSnapshotName, volumeSnapshotNames = [] } = source;
    const isByVolume = volumeSnapshotNames.some((name) => volumes.includes(name));
    return isByVolume || applicationSnapshotName === metadata?.name;
  });
}
