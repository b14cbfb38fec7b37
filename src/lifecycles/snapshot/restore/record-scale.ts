/** Records the replicas of a workload before a restore scales it to 0 (SNAP-V9). */
import type { KubeClient } from '../../../kube/client.ts';
import { identify } from '../app/identify.ts';
import type { Acting } from './acting.ts';
import { keepsStopped, stoppedBy } from './decide-end.ts';
import { type RestoreHook, type ScaledWorkload, snapshotRestores } from './kinds.ts';
import { readWorkload, wantedOf } from './workload.ts';

/** All workloads that the restore has recorded, plus the workload of this hook; null: nothing new to record. */
export async function scaledBefore(
  { client, facts }: Acting,
  { scale }: RestoreHook,
): Promise<ScaledWorkload[] | null> {
  if (scale === undefined) return null;
  const { kind, name } = scale;
  const { namespace } = identify(facts.restore);
  const scaled = facts.restore.status?.scaled ?? [];
  if (scaled.some((each) => each.kind === kind && each.name === name)) return null;
  const workload = await readWorkload(client, namespace, scale);
  if (workload === null) return null;
  const uid = workload.metadata?.uid ?? '';
  const replicas = wantedOf(workload) || (await keptBy(client, namespace, uid));
  return [...scaled, { kind, name, uid, replicas }];
}

/**
 * The replicas of a workload that a failed restore keeps at 0: the next restore sets them again. 0: there is no such
 * restore.
 */
async function keptBy(
  client: KubeClient,
  namespace: string,
  uidOfWorkload: string,
): Promise<number> {
  const { items } = await client.list(snapshotRestores, { namespace });
  const kept = items.filter(keepsStopped).flatMap(stoppedBy);
  return kept.find(({ uid }) => uid === uidOfWorkload)?.replicas ?? 0;
}
