/**
 * Which attempt of a Deployment's hooks may start. A request for a pod may reach the server long after the
 * controller that sent it has died, and Kubernetes has no precondition for a creation. It has one for the
 * change of an object, so that is the fence (ROLL-L3, ROLL-L4): the container of a hook pod does not start without
 * its entry here (`../hookpod/permit.ts`).
 *
 *  ROLL-P1 An attempt has its entry before its pod is asked for, and takes the place of any other.
 *  ROLL-P2 It has none any more when its end is recorded.
 *  ROLL-P3 Each change is one of the version that was read: a grant that comes late is a conflict.
 */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';

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

/** null: there is none yet. */
export function readPermit(
  client: KubeClient,
  of: Omit<PermitOwner, 'name'>,
): Promise<ConfigMap | null> {
  return getOrNull(client, configMaps, permitKey(of));
}

export interface Grant {
  readonly owner: PermitOwner;
  readonly attempt: HookPodIdentity;
  /** As it was read. */
  readonly permit: ConfigMap | null;
}

/** Rejects with Conflict or AlreadyExists where somebody was faster. */
export async function grant(client: KubeClient, { owner, attempt, permit }: Grant): Promise<void> {
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
  const permit = await readPermit(client, { namespace, uid: attempt.uid });
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
