/** Creates the run of a recorded intent, or gives up the intent. */
import { timeText } from '../../../controller/kube-time.ts';
import { again, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { createOrGet, getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { isRefusal } from '../app/acting.ts';
import { identify } from '../app/identify.ts';
import { applicationSnapshots } from '../kinds.ts';
import { snapshotRestores } from '../restore/kinds.ts';
import { SNAPSHOT_UIDS_MAX } from '../schema/limits.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';
import type { Step } from './decide.ts';
import type { RunKind, SnapshotSchedule } from './kinds.ts';
import { isFromIntent, restoreFor, runName, scheduledMsOf, snapshotFor } from './made-runs.ts';
import { recordMissed } from './missed-steps.ts';
import { RUN_TEXTS, runsOf, withoutPending, withRuns } from './runs.ts';

/** Milliseconds between two attempts to create an object that the server refuses. */
const REFUSED_RETRY_MS = 10_000;

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

/** Creates the run, also after a restart or after a lost answer: the name stays the same (SNAP-T2). */
export async function createRun(
  acting: Acting,
  { of, scheduledMs }: StepOf<'create'>,
): Promise<Outcome> {
  const { schedule } = acting.facts;
  try {
    const found = await createObject(acting, of);
    return await recordStart(acting, found, { of, scheduledMs });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { kind, notCreated: reason } = RUN_TEXTS[of];
    const name = runName(schedule, of, scheduledMs);
    const message = `The server refuses ${kind} ${name}: ${error.message}. It is retried until ${retriedUntil(schedule, of)}.`;
    recordEvent(acting, 'Warning', { reason, message });
    return requeueAfter(REFUSED_RETRY_MS, 'the server accepts the object');
  }
}

function retriedUntil({ spec }: SnapshotSchedule, of: RunKind): string {
  const { startingDeadlineSeconds: seconds } = of === 'snapshot' ? spec : (spec.rehearsal ?? {});
  const next = 'the next scheduled time';
  return seconds === undefined
    ? next
    : `${next}, or until startingDeadlineSeconds (${seconds} s) have passed`;
}

async function createObject({ client, facts }: Acting, of: RunKind): Promise<KubeObject> {
  const { schedule } = facts;
  const { pending } = runsOf(schedule.status ?? {}, of);
  if (pending === undefined) throw new Error(`no ${of} is planned`);
  if (of === 'snapshot') {
    return createOrGet(client, applicationSnapshots, snapshotFor(schedule, pending));
  }
  const { rehearsal } = schedule.spec;
  if (rehearsal === undefined) throw new Error('no rehearsal is planned');
  return createOrGet(client, snapshotRestores, restoreFor(schedule, rehearsal, pending));
}

export async function giveUp(
  acting: Acting,
  { of, scheduledMs, reason }: StepOf<'giveUp'>,
): Promise<Outcome> {
  const { client, facts } = acting;
  const { namespace } = identify(facts.schedule);
  const key = { namespace, name: runName(facts.schedule, of, scheduledMs) };
  const found = await getOrNull<KubeObject>(
    client,
    of === 'snapshot' ? applicationSnapshots : snapshotRestores,
    key,
  );
  if (found !== null) return recordStart(acting, found, { of, scheduledMs });
  if (reason === 'Suspended') {
    await writeStatus(acting, withRuns(facts.schedule.status ?? {}, of, withoutPending));
    return again;
  }
  const message = 'it could not be created in time';
  return recordMissed(acting, { of, scheduledMs, message });
}

interface Started {
  readonly of: RunKind;
  readonly scheduledMs: number;
}

async function recordStart(
  acting: Acting,
  found: KubeObject,
  { of, scheduledMs }: Started,
): Promise<Outcome> {
  const { schedule, snapshotUids } = acting.facts;
  const { status = {} } = schedule;
  const scheduledTime = timeText(scheduledMs);
  const { kind, created } = RUN_TEXTS[of];
  const { name, uid } = identify(found);
  const { pending = { name, scheduledTime } } = runsOf(status, of);
  if (scheduledMsOf(schedule, of, found) === null || !isFromIntent(found, pending)) {
    const message = `${kind} ${name} exists already, and was not created by this schedule`;
    return recordMissed(acting, { of, scheduledMs, message });
  }
  const { token: _, ...rehearsed } = pending;
  const snapshotUIDs = of === 'snapshot' ? [...snapshotUids, uid] : [...snapshotUids];
  await writeStatus(
    acting,
    withRuns({ ...status, snapshotUIDs: snapshotUIDs.slice(-SNAPSHOT_UIDS_MAX) }, of, (runs) => ({
      ...withoutPending(runs),
      lastScheduleTime: scheduledTime,
      active: [...(runs.active ?? []), { ...rehearsed, uid }],
    })),
  );
  const source = rehearsed.snapshotName === undefined ? '' : ` from ${rehearsed.snapshotName}`;
  const message = `Created ${kind} ${name} for ${scheduledTime}${source}.`;
  recordEvent(acting, 'Normal', { reason: created, message });
  return again;
}
