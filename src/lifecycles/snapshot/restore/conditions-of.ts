/**
 * Derives the conditions of a restore from the rest of its status. Pure.
 *
 * Complete and Failed are the conditions of a Job. Ready, Reconciling and Stalled are the conditions that kstatus
 * reads.
 */
import { type Reported, withReported } from '../../../controller/conditions.ts';
import { progressConditions } from '../../../controller/progress-conditions.ts';
import { countText } from '../../../model/count-text.ts';
import type { Failure } from '../app/failure.ts';
import type { SnapshotRestore, SnapshotRestoreStatus } from './kinds.ts';

/** The reason while a claim waits for the first pod that uses it. */
export const WAIT_FOR_CONSUMER = 'WaitForFirstConsumer';
/** The reason while a claim of the same name is being deleted. */
export const WAIT_FOR_CLAIM = 'WaitForClaim';
/** The reason while the snapshot of the restore is not complete, or has no verdict yet. */
export const WAIT_FOR_SNAPSHOT = 'WaitForSnapshot';
/** The reason while the server refuses to scale a stopped workload back. */
export const SCALE_BACK_REFUSED = 'ScaleBackRefused';

export interface Now {
  readonly nowMs: number;
  /**
   * The obstacle for which the restore waits: its source, a claim that is being deleted, or a refused write; undefined:
   * none.
   */
  readonly waiting?: Failure | undefined;
}

/** Returns the complete status to write, with its conditions. */
export function withConditions(
  { metadata }: SnapshotRestore,
  status: SnapshotRestoreStatus,
  { nowMs, waiting }: Now,
): SnapshotRestoreStatus {
  const reported = [...progress(status, waiting), ...verified(status)];
  return withReported(status, reported, { metadata, nowMs });
}

function progress(status: SnapshotRestoreStatus, waiting: Failure | undefined): Reported[] {
  const { phase = 'Pending', failure, claims = [] } = status;
  if (phase === 'Completed') {
    const message = `Restored ${countText(claims.length, 'claim')}.`;
    return all({ done: true, failed: false }, 'Restored', message);
  }
  if (phase === 'Failed') {
    const { reason, message } = failure ?? { reason: 'Failed', message: 'The restore failed.' };
    return all({ done: false, failed: true }, reason, message);
  }
  const { reason, message } = waiting ??
    failure ??
    waitingFor(status) ?? { reason: phase, message: SAYS[phase] };
  return all({ done: false, failed: false }, reason, message);
}

const SAYS = {
  Pending: 'The restore has not begun.',
  PreRestore: 'The hooks before the restore are running.',
  Restoring: 'The claims are being created and bound.',
  PostRestore: 'The hooks after the restore are running.',
  Verifying: 'The copy is being verified.',
  CleaningUp:
    'The pods of the hooks are being deleted, and the workloads started again. A rehearsal deletes its claims too.',
} as const;

function waitingFor({ phase, claims = [] }: SnapshotRestoreStatus): Failure | null {
  if (phase !== 'Restoring') return null;
  const open = claims.filter(({ claimUID, bound }) => claimUID !== undefined && bound !== true);
  const [first] = open.filter(({ waitsForConsumer }) => waitsForConsumer === true);
  if (first === undefined) return null;
  const message = `Claim ${first.claimName} waits for its first consumer: start a pod that mounts it.`;
  return { reason: WAIT_FOR_CONSUMER, message };
}

function all(
  { done, failed }: { readonly done: boolean; readonly failed: boolean },
  reason: string,
  message: string,
): Reported[] {
  const is = (type: string, value: boolean): Reported => ({
    type,
    status: value ? 'True' : 'False',
    reason,
    message,
  });
  return [
    ...progressConditions({
      verdict: done ? 'Current' : failed ? 'Failed' : 'InProgress',
      reason,
      message,
    }),
    is('Complete', done),
    is('Failed', failed),
  ];
}

function verified({ verification }: SnapshotRestoreStatus): Reported[] {
  if (verification === undefined) return [];
  const { result, reason, message } = verification;
  const status = result === 'Passed' ? 'True' : result === 'Failed' ? 'False' : 'Unknown';
  return [{ type: 'Verified', status, reason, message }];
}
