/** Executes one decided step of a schedule, and nothing else. The next reconcile decides the next step anew. */
import { microTimeText, timeText } from '../../../controller/kube-time.ts';
import { type Acts, actOn } from '../../../controller/acts.ts';
import { again, done, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { type SnapshotRestore, snapshotRestores } from '../restore/kinds.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';
import { createRun, giveUp } from './create-steps.ts';
import { makeToken } from '../../../model/make-token.ts';
import type { Step } from './decide.ts';
import { LOOK_AGAIN_MS } from './decide-times.ts';
import { deleteUnchanged } from './delete-unchanged.ts';
import { evict, settle } from './end-steps.ts';
import type { SnapshotScheduleStatus } from './kinds.ts';
import { runName } from './made-runs.ts';
import { handle, move } from './missed-steps.ts';
import { type RehearsalFacts, resultOf } from './rehearsals.ts';
import { counted, RUN_TEXTS, withRuns } from './runs.ts';

/** Milliseconds; a start that is later than this is reported. */
const LATE_MS = 60_000;

const ACTS: Acts<Acting, Step> = {
  none: () => done,
  refuse: (acting, { problem }) => refuse(acting, problem),
  move,
  handle,
  settle: (acting, { ended }) => settle(acting, ended),
  settleRehearsal: (acting, { ended }) => settleRehearsal(acting, ended),
  plan,
  create: createRun,
  giveUp,
  evict,
  forget: (acting, { restores }) => forget(acting, restores),
  wait: (acting, { ms }) => wait(acting, ms),
};

export async function carryOut(acting: Acting, step: Step): Promise<Outcome> {
  return actOn(ACTS, acting, step);
}

async function wait(acting: Acting, ms: number): Promise<Outcome> {
  await writeStatus(acting, acting.facts.schedule.status ?? {});
  return requeueAfter(ms, 'the next scheduled time');
}

async function refuse(acting: Acting, problem: string): Promise<Outcome> {
  await writeStatus(acting, acting.facts.schedule.status ?? {});
  recordEvent(acting, 'Warning', { reason: 'Invalid', message: problem });
  return requeueAfter(LOOK_AGAIN_MS, 'a change of the spec');
}

/** Records the intent. After that write the scheduled time is handled, whatever happens to this process (SNAP-T2). */
async function plan(
  acting: Acting,
  { of, due, snapshotName }: Extract<Step, { kind: 'plan' }>,
): Promise<Outcome> {
  const { facts, context } = acting;
  const { schedule, nowMs } = facts;
  const { scheduledMs, dueMs } = due;
  const lateMs = nowMs - dueMs;
  const isLate = lateMs > LATE_MS;
  const scheduledTime = timeText(scheduledMs);
  const name = runName(schedule, of, scheduledMs);
  const source = snapshotName === undefined ? {} : { snapshotName };
  await writeStatus(
    acting,
    withRuns(schedule.status ?? {}, of, (runs) => ({
      ...runs,
      handledUntil: microTimeText(scheduledMs),
      pending: { name, scheduledTime, token: makeToken(context.random), ...source },
      totals: counted(runs, { late: isLate ? 1 : 0 }),
    })),
  );
  if (isLate) {
    const { noun, late: reason } = RUN_TEXTS[of];
    const message = `The ${noun} of ${scheduledTime} starts ${Math.round(lateMs / 1_000)} s late.`;
    recordEvent(acting, 'Warning', { reason, message });
  }
  return again;
}

/** Records the result of a rehearsal that has ended. */
async function settleRehearsal(acting: Acting, ended: RehearsalFacts): Promise<Outcome> {
  const { status = {} } = acting.facts.schedule;
  const { uid, name, scheduledTime } = ended.entry;
  const result = resultOf(ended);
  const isPassed = result.result === 'Passed';
  const settled: SnapshotScheduleStatus = withRuns(status, 'rehearsal', (runs) => ({
    ...runs,
    active: (runs.active ?? []).filter((entry) => entry.uid !== uid),
    totals: counted(runs, isPassed ? { good: 1 } : { failed: 1 }),
  }));
  const { restoredAt } = result;
  await writeStatus(acting, {
    ...settled,
    lastRehearsal: result,
    ...(isPassed && restoredAt !== undefined ? { lastSuccessfulRehearsalTime: restoredAt } : {}),
  });
  const message = `SnapshotRestore ${name} of ${scheduledTime}: ${result.result}: ${result.message}`;
  const reason = isPassed ? 'RehearsalPassed' : 'RehearsalFailed';
  recordEvent(acting, isPassed ? 'Normal' : 'Warning', { reason, message });
  return again;
}

/** Deletes rehearsals that have ended. Their claims and pods are deleted already (SNAP-T19). */
async function forget({ client }: Acting, restores: readonly SnapshotRestore[]): Promise<Outcome> {
  for (const restore of restores) await deleteUnchanged(client, snapshotRestores, restore);
  return again;
}
