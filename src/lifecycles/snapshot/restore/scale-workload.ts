/** Scales a workload: records its replicas before, and reports a refusal of the server (SNAP-V9). */
import type { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { identify } from '../app/identify.ts';
import type { Acting } from './acting.ts';
import { isRefusal } from './create-claim.ts';
import type { RestoreHook, ScaledWorkload } from './kinds.ts';
import { recordedReplicas } from './successor.ts';
import { type NewScale, readWorkload, setScale, wantedOf } from './workload.ts';

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

/**
 * The refusal, for example by a webhook; null: the replicas are set. Rejects if the workload was deleted, replaced or
 * changed: the next reconcile reads it again.
 */
export async function tryScale(
  client: KubeClient,
  namespace: string,
  scale: NewScale,
): Promise<ApiError | null> {
  try {
    await setScale(client, namespace, scale);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const found = await readWorkload(client, namespace, scale);
    if (found?.metadata?.uid !== scale.uid) throw error;
    return error;
  }
}
