/** Whether a snapshot has ended, and how. Pure. */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { reaches, requiredLevelOf } from '../required-level.ts';

export type SnapshotState = 'Active' | 'Good' | 'Failed';

/**
 * The state of a snapshot. One that is deleted before its end counts as active until its hooks are thawed and it is
 * removed. A snapshot that is deleted after its end counts as failed.
 */
export function stateOf(snapshot: ApplicationSnapshot): SnapshotState {
  const { phase, completedAt, verdict } = snapshot.status ?? {};
  if (completedAt === undefined) return 'Active';
  if (isTerminating(snapshot)) return 'Failed';
  const isGood =
    phase === 'Completed' && verdict !== undefined && reaches(verdict, requiredLevelOf(snapshot));
  return isGood ? 'Good' : 'Failed';
}

/** The reason why the snapshot is not good, or its verdict, as one sentence. */
export function resultOf(snapshot: ApplicationSnapshot): string {
  const { failure, verdict } = snapshot.status ?? {};
  if (failure !== undefined) return `${failure.reason}: ${failure.message}`;
  if (isTerminating(snapshot)) return 'it was deleted';
  if (verdict === undefined) return 'it has no verdict';
  const { value, reason, message } = verdict;
  return `its verdict is ${value} (${reason}: ${message}); required: ${requiredLevelOf(snapshot)}`;
}
