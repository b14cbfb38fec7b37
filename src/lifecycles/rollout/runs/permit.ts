/**
 * The permit: which attempt of a Deployment's hooks may start. A request for a pod may reach the server long after the
 * controller that sent it has died, and Kubernetes has no precondition for a creation. It has one for an update, so the
 * fence is an update (ROLL-L3, ROLL-L4): the container of a hook pod does not start without its entry here
 * (`../hookpod/permit.ts`).
 *
 *  ROLL-P1 An attempt gets its entry before its pod is requested, and replaces any other entry.
 *  ROLL-P2 Its entry is removed before its end is recorded.
 *  ROLL-P3 Each change requires the version that was read: a late grant is a conflict.
 *  ROLL-P4 A grant is counted in the HookRun before it is made: a record of the end that was decided before, and arrives
 *     late, is a conflict.
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
  /** The ConfigMap that was read; null: there was none. */
  readonly permit: ConfigMap | null;
}

/** Rejects with Conflict or AlreadyExists if another process was faster. */
export async function grant(client: KubeClient, { owner, attempt, permit }: Grant): Promise<void> {
  if (permit === null) await client.create(configMaps, permitObject(owner, attempt));
  else if (!permits(permit, attempt)) {
    await client.replace(configMaps, { ...permit, data: { ...permitData(attempt) } });
  }
}

/** Without an entry the pod was not requested yet, and a process that would request it finds the attempt ended. */
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
    // NotFound: it was deleted with its Deployment.
    if (!isReason(error, 'NotFound')) throw error;
  }
}

/** Call when no hooks of the Deployment are run any more. */
export async function dropPermit(client: KubeClient, of: Omit<PermitOwner, 'name'>): Promise<void> {
  try {
    await client.delete(configMaps, permitKey(of));
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
