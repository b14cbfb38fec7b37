/** Records how a rehearsal has ended, and deletes old ones. */
import { again, type Outcome } from '../../../controller/reconcile.ts';
import { type SnapshotRestore, snapshotRestores } from '../restore/kinds.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';
import { deleteUnchanged } from './delete-unchanged.ts';
import type { SnapshotScheduleStatus } from './kinds.ts';
import { type RehearsalFacts, resultOf } from './rehearsals.ts';
import { counted, withRuns } from './runs.ts';

export async function settleRehearsal(acting: Acting, ended: RehearsalFacts): Promise<Outcome> {
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
export async function forget(
  { client }: Acting,
  restores: readonly SnapshotRestore[],
): Promise<Outcome> {
  for (const restore of restores) await deleteUnchanged(client, snapshotRestores, restore);
  return again;
}
