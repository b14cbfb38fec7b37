/**
 * Which attempt of a Deployment's hooks may start. A request for a pod may reach the server long after the
 * controller that sent it has died, and Kubernetes has no precondition for a creation. It has one for the
 * change of an object, so that is the fence (L3, L4): the container of a hook pod does not start without
 * its entry here (`../hookpod/permit.ts`).
 *
 *  P1 An attempt has its entry before its pod is asked for, and takes the place of any other.
 *  P2 It has none any more when its end is recorded without a pod, or when the finalizer of its pod goes.
 *  P3 Each change is one of the version that was read: a grant that comes late is a conflict.
 */
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { configMaps } from '../../../kube/resources.ts';
import type { HookPodIdentity } from '../hookpod/identity.ts';
import {
  permitData,
  permitKey,
  permitObject,
  type PermitOwner,
  permits,
} from '../hookpod/permit.ts';

/** Rejects with Conflict or AlreadyExists where somebody was faster. */
export async function grant(
  client: KubeClient,
  owner: PermitOwner,
  attempt: HookPodIdentity,
): Promise<void> {
  const permit = await getOrNull(client, configMaps, permitKey(owner));
  if (permit === null) await client.create(configMaps, permitObject(owner, attempt));
  else if (!permits(permit, attempt)) {
    await client.replace(configMaps, { ...permit, data: { ...permitData(attempt) } });
  }
}

/** Without an entry nobody has asked for the pod yet, and who is to ask finds that the attempt has ended. */
export async function revoke(
  client: KubeClient,
  namespace: string,
  attempt: HookPodIdentity,
): Promise<void> {
  const key = permitKey({ namespace, uid: attempt.uid });
  const permit = await getOrNull(client, configMaps, key);
  if (permit === null || !permits(permit, attempt)) return;
  try {
    await client.replace(configMaps, { ...permit, data: {} });
  } catch (error) {
    // It went with its Deployment.
    if (!isReason(error, 'NotFound')) throw error;
  }
}

/** Nobody makes hooks for the Deployment any more. */
export async function dropPermit(client: KubeClient, of: Omit<PermitOwner, 'name'>): Promise<void> {
  try {
    await client.delete(configMaps, permitKey(of));
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
