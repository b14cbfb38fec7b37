/** Sets the replicas of a workload, and reports a refusal of the server (SNAP-V9). */
import type { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { isRefusal } from './create-claim.ts';
import { type NewScale, readWorkload, setScale } from './workload.ts';

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
