/** Other restores that have stopped the same workload (SNAP-V9): the last one of them scales it back. */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { identify } from '../app/identify.ts';
import { keepsStopped, stoppedBy } from './decide-end.ts';
import { isOver } from './facts.ts';
import { type ScaledWorkload, type SnapshotRestore, snapshotRestores } from './kinds.ts';

/**
 * The replicas that another restore has recorded for a workload that is at 0: one that runs, or one that has failed and
 * keeps the workload stopped. 0: there is no such restore.
 */
export async function recordedReplicas(
  client: KubeClient,
  restore: SnapshotRestore,
  uidOfWorkload: string,
): Promise<number> {
  const others = await othersOf(client, restore);
  const records = others
    .filter((other) => !isOver(other) || keepsStopped(other))
    .flatMap(stoppedBy);
  return records.find(({ uid }) => uid === uidOfWorkload)?.replicas ?? 0;
}

/**
 * Whether another restore decides about the replicas of the workload: it runs and will scale the workload back, has
 * done so since this restore failed, or has failed since this restore started and keeps the workload stopped.
 */
export async function hasSuccessor(
  client: KubeClient,
  restore: SnapshotRestore,
  { uid: uidOfWorkload }: ScaledWorkload,
): Promise<boolean> {
  const failedMs = Date.parse(restore.status?.failure?.at ?? '');
  const isSame = ({ uid }: ScaledWorkload): boolean => uid === uidOfWorkload;
  return (await othersOf(client, restore)).some((other) => {
    const ended = other.status?.scaled?.find(isSame)?.scaledBackAt ?? '';
    if (Date.parse(ended) > failedMs) return true;
    const stopped = stoppedBy(other).find(isSame);
    if (stopped === undefined || !isOver(other)) return stopped !== undefined;
    return stopped.keptStopped === true && hasFailedSince(other, restore);
  });
}

/**
 * Whether the other restore has failed since this restore started. An earlier failure does not count: this restore has
 * created new copies of the data since.
 */
function hasFailedSince(other: SnapshotRestore, { status }: SnapshotRestore): boolean {
  const failedMs = Date.parse(other.status?.failure?.at ?? '');
  return !isTerminating(other) && failedMs > Date.parse(status?.startedAt ?? '');
}

async function othersOf(
  client: KubeClient,
  restore: SnapshotRestore,
): Promise<readonly SnapshotRestore[]> {
  const { namespace, uid } = identify(restore);
  const { items } = await client.list(snapshotRestores, { namespace });
  return items.filter((other) => other.metadata?.uid !== uid);
}
