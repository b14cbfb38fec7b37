/** Creates the run of a recorded intent, or gives it up. */
import { timeText } from '../../../controller/kube-time.ts';
import { again, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { createOrGet, getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { isRefusal } from '../app/cut-steps.ts';
import { identify } from '../app/identify.ts';
import { applicationSnapshots } from '../kinds.ts';
import { snapshotRestores } from '../restore/kinds.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';
import type { Step } from './decide.ts';
import type { PendingRun, RunKind } from './kinds.ts';
import { restoreFor, runName, scheduledMsOf, snapshotFor } from './made-runs.ts';
import { recordMissed } from './missed-steps.ts';
import { RUN_TEXTS, runsOf, withoutPending, withRuns } from './runs.ts';

/** Milliseconds: as the controller of CronJobs, which looks again after ten seconds. */
const REFUSED_RETRY_MS = 10_000;

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

/** Also after a restart, and if the answer of an earlier creation was lost: the name is the same (SNAP-T2). */
export async function createRun(
  acting: Acting,
  { of, scheduledMs }: StepOf<'create'>,
): Promise<Outcome> {
  const { schedule } = acting.facts;
  try {
    const found = await createObject(acting, of, scheduledMs);
    return await recordStart(acting, found, { of, scheduledMs });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { kind, notCreated: reason } = RUN_TEXTS[of];
    const name = runName(schedule, of, scheduledMs);
    const message = `The server refuses ${kind} ${name}: ${error.message}. It is retried until the next scheduled time.`;
    recordEvent(acting, 'Warning', { reason, message });
    return requeueAfter(REFUSED_RETRY_MS, 'the server accepts the object');
  }
}

async function createObject(
  { client, facts }: Acting,
  of: RunKind,
  scheduledMs: number,
): Promise<KubeObject> {
  const { schedule } = facts;
  if (of === 'snapshot') {
    return createOrGet(client, applicationSnapshots, snapshotFor(schedule, scheduledMs));
  }
  const { rehearsal } = schedule.spec;
  const { pending } = runsOf(schedule.status ?? {}, of);
  if (rehearsal === undefined || pending === undefined) throw new Error('no rehearsal is planned');
  return createOrGet(client, snapshotRestores, restoreFor(schedule, rehearsal, pending));
}

export async function giveUp(
  acting: Acting,
  { of, scheduledMs }: StepOf<'giveUp'>,
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
  const { schedule } = acting.facts;
  const { kind, created } = RUN_TEXTS[of];
  const { name, uid } = identify(found);
  if (scheduledMsOf(schedule, of, found) === null) {
    const message = `${kind} ${name} exists already, and was not created by this schedule`;
    return recordMissed(acting, { of, scheduledMs, message });
  }
  const { status = {} } = schedule;
  const scheduledTime = timeText(scheduledMs);
  const { pending } = runsOf(status, of);
  const rehearsed: PendingRun = { name, scheduledTime, ...pending };
  await writeStatus(
    acting,
    withRuns(status, of, (runs) => ({
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
