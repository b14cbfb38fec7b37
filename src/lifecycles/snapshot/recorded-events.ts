/**
 * The events that statuses still show: those that were emitted when the statuses were written, except that the times of
 * thaws count from now. Pure.
 *
 * A new leader emits them, since the earlier leader may not have reported them.
 */
import { sha256 } from '../../platform/digests.ts';
import { eventsOf } from './hook/status-changes.ts';
import { isThawed, targetsOf, uidOf } from './hook/targets.ts';
import type { ApplicationSnapshot, ExecutionHook } from './kinds.ts';
import type { SnapshotRestore } from './restore/kinds.ts';
import { reaches, requiredLevelOf } from './required-level.ts';
import { type SnapshotSchedule, snapshotSchedules } from './schedule/kinds.ts';
import { scheduleEvents } from './schedule/schedule-events.ts';
import {
  type RestoreEnded,
  type SnapshotEvent,
  snapshotEnvelope,
  type SnapshotLifecycleEvent,
} from './snapshot-event.ts';

export interface Recorded {
  readonly hooks: readonly ExecutionHook[];
  readonly snapshots: readonly ApplicationSnapshot[];
  readonly restores: readonly SnapshotRestore[];
  readonly schedules: readonly SnapshotSchedule[];
  /** Milliseconds of the wall clock. Ends before this time are left out. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Returns the events of thaws first, then all others in the order of their times. */
export function recordedEvents(recorded: Recorded): SnapshotLifecycleEvent[] {
  const { hooks, snapshots, restores, schedules, sinceMs, nowMs } = recorded;
  const thaws = hooks.flatMap((hook) => thawEvents(hook, nowMs));
  const all = [...snapshots.flatMap(endOf), ...restores.flatMap(endOfRestore)];
  const scheduled = schedules
    .flatMap(scheduleEvents)
    .filter(({ isOpen, atMs }) => isOpen || atMs >= sinceMs);
  const ends = [...all.filter(({ atMs }) => atMs >= sinceMs), ...scheduled];
  return [
    ...thaws.map((event) => snapshotEnvelope(event, nowMs)),
    ...ends
      .toSorted((one, other) => one.atMs - other.atMs)
      .map(({ event, atMs }) => snapshotEnvelope(event, atMs)),
  ];
}

/** The events of thaws, as if the whole status were new. */
function thawEvents(hook: ExecutionHook, nowMs: number): SnapshotEvent[] {
  const { metadata = {}, status: after = {} } = hook;
  const { namespace = '', name = '' } = metadata;
  const thawed = new Set(
    targetsOf(hook)
      .filter(isThawed)
      .map(({ podName, containerName }) => `${podName}/${containerName}`),
  );
  const change = { namespace, hook: name, uid: uidOf(hook), before: {}, after, nowMs };
  return eventsOf(change).filter((event) => {
    if (event.type === 'Thawed' || event.type === 'ThawOverdue') return true;
    if (event.type !== 'ThawUnproven') return false;
    // An unproven thaw stays in the status even after a later thaw.
    return !thawed.has(`${event.target.pod}/${event.target.container}`);
  });
}

/** The event of the end of a restore; empty if it has not ended. */
export function endOfRestore(object: SnapshotRestore): RecordedEnd[] {
  const { status = {} } = object;
  const { phase, completedAt = '', startedAt = completedAt } = status;
  if (phase !== 'Completed' && phase !== 'Failed') return [];
  const { failure = NO_FAILURE, verification } = status;
  const { reason, message } = failure;
  const atMs = Date.parse(completedAt);
  const event: RestoreEnded = {
    type: 'RestoreEnded',
    ...aboutRestore(object),
    outcome: phase,
    reason,
    message,
    verification: verification?.result ?? 'None',
    restoreMs: Math.max(0, atMs - Date.parse(startedAt)),
  };
  return [{ event, atMs }];
}

const NO_FAILURE = { reason: 'Restored', message: '' };

function aboutRestore({
  metadata = {},
  spec,
}: SnapshotRestore): Omit<
  RestoreEnded,
  'type' | 'outcome' | 'reason' | 'message' | 'verification' | 'restoreMs'
> {
  const { namespace = '', name: restore = '', uid = '', ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  return {
    namespace,
    restore,
    uid,
    series: owner?.name ?? restore,
    isScheduled: owner?.kind === snapshotSchedules.kind,
    scratch: spec.scratch === true,
  };
}

export interface RecordedEnd {
  readonly event: SnapshotEvent;
  /** Milliseconds since the epoch, by the wall clock. */
  readonly atMs: number;
}

/** The event of the verdict; without a verdict, the event of the failure. Empty: the snapshot has not ended. */
export function endOf(snapshot: ApplicationSnapshot): RecordedEnd[] {
  const { metadata = {}, spec, status = {} } = snapshot;
  const { namespace = '', name = '', uid = '' } = metadata;
  const about = { namespace, snapshot: name, uid, series: seriesOf(spec) };
  const { verdict, failure } = status;
  if (verdict !== undefined) {
    const { value, reason, message } = verdict;
    const required = requiredLevelOf(snapshot);
    const isReached = reaches(verdict, required);
    const judged = { value, reason, message, required, isReached };
    const event = { type: 'Verdict', ...about, ...judged } as const;
    return [{ event, atMs: Date.parse(verdict.decidedAt) }];
  }
  if (failure === undefined) return [];
  const { reason, message, at } = failure;
  return [{ event: { type: 'FailedBeforeCut', ...about, reason, message }, atMs: Date.parse(at) }];
}

const SERIES_LENGTH = 16;

function seriesOf({ source }: ApplicationSnapshot['spec']): string {
  const { persistentVolumeClaimNames: names = [], selector = {} } = source;
  const labels = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  const text = JSON.stringify([names.toSorted(), labels.toSorted()]);
  return sha256(text).slice(0, SERIES_LENGTH);
}
