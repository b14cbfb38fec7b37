/**
 * The permit: which attempt of a Deployment's hooks may start. A request for a pod may reach the server long after its
 * controller has died, and Kubernetes has no precondition for a creation. An update can have one, so the fence is an
 * update (ROLL-L3, ROLL-L4). The container of a hook pod does not start without its entry in the permit
 * (`../hookpod/permit-object.ts`).
 *
 *  ROLL-P1 An attempt gets its entry before its pod is requested. The entry replaces any other one.
 *  ROLL-P2 Its entry is removed before its end is recorded.
 *  ROLL-P3 Each change requires the resourceVersion that was read. Each revocation changes that version, even if there
 *     is no entry to remove, so a late grant is a conflict.
 *  ROLL-P4 A grant is counted in the HookRun before it is made. A late write of an end that was decided before the
 *     grant is then a conflict.
 */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';

import { sameJson } from '../../../controller/same-json.ts';
import { ApiError, isReason, orNull } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { configMaps } from '../../../kube/resources.ts';
import type { HookPodIdentity } from '../hookpod/identity.ts';
import {
  type PermitData,
  permitData,
  permitKey,
  permitObject,
  type PermitOwner,
  permits,
  revokedData,
} from '../hookpod/permit-object.ts';
import type { HookRun } from '../kinds.ts';
import { podIdentity } from './hook-run.ts';

/** null: there is no permit yet. */
export function readPermit(
  client: KubeClient,
  of: Omit<PermitOwner, 'name'>,
): Promise<ConfigMap | null> {
  return getOrNull(client, configMaps, permitKey(of));
}

export interface Grant {
  readonly owner: PermitOwner;
  readonly attempt: HookPodIdentity;
  /** The ConfigMap that was read; null: it did not exist. */
  readonly permit: ConfigMap | null;
}

/** Grants the permit. Rejects with Conflict or AlreadyExists if another process was faster. */
export async function grant(client: KubeClient, { owner, attempt, permit }: Grant): Promise<void> {
  if (isGranted(permit, attempt)) return;
  await write(client, owner, { permit, data: permitData(attempt) });
}

/**
 * Revokes the permit. It writes once for each version of the HookRun, even if there is no entry to remove, because an
 * unchanged object would keep its resourceVersion. A grant in transit was counted in an earlier version of the HookRun,
 * and requires a resourceVersion that is outdated after this write.
 */
export async function revoke(client: KubeClient, run: HookRun, attempt: number): Promise<void> {
  const owner = ownerOf(run);
  const identity = podIdentity(run, attempt);
  const permit = await readPermit(client, owner);
  const data = revokedData(permit, identity, run.metadata?.resourceVersion ?? '');
  if (sameJson(permit?.data ?? null, data)) return;
  try {
    await write(client, owner, { permit, data });
  } catch (error) {
    // NotFound: the permit was deleted with its Deployment. Another refusal is harmless if the attempt has no entry:
    // the server refuses a grant for the same reason.
    if (isReason(error, 'NotFound')) return;
    if (isGranted(permit, identity) || !isRefused(error)) throw error;
  }
}

/**
 * True: the server has rejected the write and stored nothing, for example because of a quota, a webhook or an invalid
 * field.
 */
export function isRefused(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { code } = error;
  return code >= 400 && code < 500 && ![401, 408, 409, 429].includes(code);
}

function isGranted(permit: ConfigMap | null, attempt: HookPodIdentity): boolean {
  return permit !== null && permits(permit, attempt);
}

interface Written {
  /** The ConfigMap that was read; null: it did not exist. */
  readonly permit: ConfigMap | null;
  readonly data: PermitData;
}

async function write(
  client: KubeClient,
  owner: PermitOwner,
  { permit, data }: Written,
): Promise<void> {
  if (permit === null) await client.create(configMaps, permitObject(owner, data));
  else await client.replace(configMaps, { ...permit, data: { ...data } });
}

export function ownerOf({ metadata, spec }: HookRun): PermitOwner {
  const { namespace = '' } = metadata ?? {};
  return { namespace, name: spec.deploymentName, uid: spec.deploymentUID };
}

/** Deletes the permit. Call it once no hook of the Deployment runs any more. */
export async function dropPermit(client: KubeClient, of: Omit<PermitOwner, 'name'>): Promise<void> {
  await orNull(client.delete(configMaps, permitKey(of)), 'NotFound');
}
