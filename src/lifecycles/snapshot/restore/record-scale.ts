/** Records the replicas of a workload before a restore scales it to 0 (SNAP-V9). */
import { identify } from '../app/identify.ts';
import type { Acting } from './acting.ts';
import type { RestoreHook, ScaledWorkload } from './kinds.ts';
import { recordedReplicas } from './successor.ts';
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
  const replicas = wantedOf(workload) || (await recordedReplicas(client, facts.restore, uid));
  return [...scaled, { kind, name, uid, replicas }];
}
