/**
 * The snapshots and rehearsals of a schedule: their names, their marks, and the check that they belong to it (SNAP-T2).
 * Pure.
 */
import { apiVersionOf, type KubeObject, type ObjectMeta } from '../../../kube/object.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { REQUIRED_LEVEL, SCHEDULE, SCHEDULE_TOKEN, SCHEDULE_UID, SCHEDULED_AT } from '../names.ts';
import {
  type SnapshotRestore,
  type SnapshotRestoreSpec,
  snapshotRestores,
} from '../restore/kinds.ts';
import {
  type PendingRun,
  type Rehearsal,
  type RunKind,
  type SnapshotSchedule,
  snapshotSchedules,
} from './kinds.ts';

const MINUTE_MS = 60_000;
const INFIX = { snapshot: '', rehearsal: 'rehearsal-' } as const;

/**
 * The name of a run, like that of a Job of a CronJob: `nightly-29712345`, with the minutes since the epoch. For a
 * rehearsal: `nightly-rehearsal-29712357`.
 */
export function runName({ metadata }: SnapshotSchedule, of: RunKind, scheduledMs: number): string {
  return `${metadata?.name ?? ''}-${INFIX[of]}${Math.floor(scheduledMs / MINUTE_MS)}`;
}

/** The snapshot has no owner, so that it stays when its schedule is deleted. */
export function snapshotFor(schedule: SnapshotSchedule, pending: PendingRun): ApplicationSnapshot {
  const { requiredVerdict, snapshotTemplate } = schedule.spec;
  const { labels = {}, annotations = {} } = snapshotTemplate.metadata ?? {};
  const marks = marksOf(schedule, pending);
  return {
    apiVersion: apiVersionOf(applicationSnapshots),
    kind: applicationSnapshots.kind,
    metadata: {
      ...marks,
      name: pending.name,
      labels: { ...labels, ...marks.labels },
      annotations: {
        ...annotations,
        ...(requiredVerdict === undefined ? {} : { [REQUIRED_LEVEL]: requiredVerdict }),
        ...marks.annotations,
      },
    },
    spec: snapshotTemplate.spec,
  };
}

/** The schedule owns the restore, so both are deleted together. The restore then deletes what it has created. */
export function restoreFor(
  schedule: SnapshotSchedule,
  rehearsal: Rehearsal,
  pending: PendingRun,
): SnapshotRestore {
  const { name = '', uid = '' } = schedule.metadata ?? {};
  const { kind } = snapshotSchedules;
  const apiVersion = apiVersionOf(snapshotSchedules);
  return {
    apiVersion: apiVersionOf(snapshotRestores),
    kind: snapshotRestores.kind,
    metadata: {
      ...marksOf(schedule, pending),
      name: pending.name,
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
    },
    spec: restoreSpecOf(rehearsal, pending.snapshotName ?? ''),
  };
}

export function restoreSpecOf(rehearsal: Rehearsal, snapshotName: string): SnapshotRestoreSpec {
  const {
    schedule: _cron,
    timeZone: _zone,
    startingDeadlineSeconds: _deadline,
    historyLimit: _limit,
    ...settings
  } = rehearsal;
  return { ...settings, source: { applicationSnapshotName: snapshotName }, scratch: true };
}

function marksOf(
  { metadata = {} }: SnapshotSchedule,
  { scheduledTime, token }: PendingRun,
): Pick<ObjectMeta, 'labels' | 'annotations' | 'namespace'> {
  const { namespace = '', name = '', uid = '' } = metadata;
  return {
    namespace,
    labels: { [SCHEDULE]: name },
    annotations: {
      [SCHEDULE_UID]: uid,
      [SCHEDULED_AT]: scheduledTime,
      ...(token === undefined ? {} : { [SCHEDULE_TOKEN]: token }),
    },
  };
}

/**
 * Whether the object was created from this intent. Any client may create an object with the other marks in advance
 * (SNAP-T23). An intent of an earlier version of Lifehook has no token.
 */
export function isFromIntent({ metadata }: KubeObject, { token }: PendingRun): boolean {
  return token === undefined || metadata?.annotations?.[SCHEDULE_TOKEN] === token;
}

/**
 * null: the object lacks the marks of this schedule, so the schedule never deletes it. Marks alone prove nothing, since
 * every client can write them.
 */
export function scheduledMsOf(
  schedule: SnapshotSchedule,
  of: RunKind,
  { metadata = {} }: KubeObject,
): number | null {
  const { labels = {}, annotations = {}, name, namespace } = metadata;
  const own = { namespace: '', name: '', uid: '', ...schedule.metadata };
  const scheduledMs = Date.parse(annotations[SCHEDULED_AT] ?? '');
  const isOurs =
    namespace === own.namespace &&
    labels[SCHEDULE] === own.name &&
    annotations[SCHEDULE_UID] === own.uid &&
    name === runName(schedule, of, scheduledMs);
  return isOurs ? scheduledMs : null;
}
