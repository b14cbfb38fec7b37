/** The restores that a schedule starts as rehearsals: whether they have ended, and how. Pure. */
import type { SnapshotRestore } from '../restore/kinds.ts';
import type { ActiveRun, LastRehearsal, SnapshotSchedule } from './kinds.ts';
import { scheduledMsOf } from './made-runs.ts';

export interface RehearsalFacts {
  readonly entry: ActiveRun;
  /** null: the restore was deleted. */
  readonly restore: SnapshotRestore | null;
}

/** The rehearsals with the marks of this schedule, the newest first. */
export function ownRehearsals(
  schedule: SnapshotSchedule,
  restores: readonly SnapshotRestore[],
): readonly SnapshotRestore[] {
  const scheduled = restores.flatMap((restore) => {
    const scheduledMs = scheduledMsOf(schedule, 'rehearsal', restore);
    return scheduledMs === null ? [] : [{ restore, scheduledMs }];
  });
  return scheduled.toSorted((a, b) => b.scheduledMs - a.scheduledMs).map(({ restore }) => restore);
}

/** Whether the rehearsal has ended: its claims and pods are deleted by then. */
export function hasEnded({ status }: SnapshotRestore): boolean {
  return status?.completedAt !== undefined;
}

export function resultOf({ entry, restore }: RehearsalFacts): LastRehearsal {
  const { uid: _, ...about } = entry;
  const { completedAt, verification } = restore?.status ?? {};
  if (restore === null || completedAt === undefined) {
    return { ...about, result: 'Failed', message: 'it was deleted before its end was seen' };
  }
  const restoredAt = verification?.at ?? completedAt;
  return { ...about, restoredAt, ...judged(restore) };
}

/**
 * The result of a rehearsal. If it fails after its check has passed, the result is Failed, since the rehearsal did not
 * run to its end.
 */
function judged({ status = {} }: SnapshotRestore): Pick<LastRehearsal, 'result' | 'message'> {
  const { phase, verification, failure } = status;
  const { result = 'Failed', message = '' } = verification ?? {};
  if (phase === 'Completed' && result === 'Passed') return { result, message };
  return {
    result: result === 'Unknown' ? 'Unknown' : 'Failed',
    message: failure === undefined ? message : `${failure.reason}: ${failure.message}`,
  };
}
