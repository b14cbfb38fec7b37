/**
 * The ConfigMap from which a hook pod reads its fencing token. It names the one attempt of the Deployment that may
 * start: a node does not start a container while an entry that it refers to is missing.
 */
import type { ConfigMap, EnvVarSource } from 'kubernetes-types/core/v1.js';

import { type ObjectKey, apiVersionOf } from '../../../kube/object.ts';
import { deployments } from '../../../kube/resources.ts';
import { OF_DEPLOYMENT } from '../names.ts';
import { deploymentLabel, fencingToken, type HookPodIdentity } from './identity.ts';

export interface PermitOwner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Key of the attempt that lost its permit last. This entry permits nothing. */
const REVOKED = 'revoked';

export type PermitData = Readonly<Record<string, string>>;

/** The name of the one object for all attempts, so that its resourceVersion orders all changes. */
export function permitName(deploymentUID: string): string {
  return `hook-permit-${deploymentUID}`;
}

export function permitKey({ namespace, uid }: Omit<PermitOwner, 'name'>): ObjectKey {
  return { namespace, name: permitName(uid) };
}

/** The data while this attempt may start. It has no entry for any other attempt. */
export function permitData(attempt: HookPodIdentity): PermitData {
  return { [entryOf(attempt)]: String(fencingToken(attempt)) };
}

/**
 * The data after this attempt may no longer start. `version`: resourceVersion of the HookRun from which the end of the
 * attempt was decided.
 */
export function revokedData(
  permit: ConfigMap | null,
  attempt: HookPodIdentity,
  version: string,
): PermitData {
  const { [entryOf(attempt)]: _, ...others } = permit?.data ?? {};
  return { ...others, [REVOKED]: `${entryOf(attempt)} at ${version}` };
}

/** The ConfigMap, which is deleted with the Deployment. */
export function permitObject(owner: PermitOwner, data: PermitData): ConfigMap {
  const { name, uid } = owner;
  const owning = { apiVersion: apiVersionOf(deployments), kind: deployments.kind, name, uid };
  return {
    metadata: {
      ...permitKey(owner),
      labels: { [OF_DEPLOYMENT]: deploymentLabel(name) },
      ownerReferences: [owning],
    },
    data: { ...data },
  };
}

export function permits(permit: ConfigMap, attempt: HookPodIdentity): boolean {
  return Object.hasOwn(permit.data ?? {}, entryOf(attempt));
}

/** The reference to the token. While the entry is missing, the container does not start. */
export function tokenFromPermit(attempt: HookPodIdentity): EnvVarSource {
  return { configMapKeyRef: { name: permitName(attempt.uid), key: entryOf(attempt) } };
}

/** The key of an attempt, such as `12-pre-1`. */
function entryOf({ number, stage, attempt }: HookPodIdentity): string {
  return `${number}-${stage}-${attempt}`;
}
