/**
 * Where a hook pod reads its fencing token: a ConfigMap that names the one attempt of the Deployment that may
 * start. A node starts no container of which a reference is missing.
 */
import type { ConfigMap, EnvVarSource } from 'kubernetes-types/core/v1.js';

import { type ObjectKey, apiVersionOf } from '../../../kube/object.ts';
import { deployments } from '../../../kube/resources.ts';
import { OF_DEPLOYMENT } from '../names.ts';
import { deploymentLabel } from './hook-pod-name.ts';
import { fencingToken, type HookPodIdentity } from './identity.ts';

export interface PermitOwner {
  readonly namespace: string;
  /** The Deployment's. */
  readonly name: string;
  readonly uid: string;
}

export type PermitData = Readonly<Record<string, string>>;

/** One for all attempts, so that the version of one object orders all changes. */
export function permitName(deploymentUID: string): string {
  return `hook-permit-${deploymentUID}`;
}

export function permitKey({ namespace, uid }: Omit<PermitOwner, 'name'>): ObjectKey {
  return { namespace, name: permitName(uid) };
}

/** What it says while this attempt may start: nothing of any other. */
export function permitData(attempt: HookPodIdentity): PermitData {
  return { [entryOf(attempt)]: String(fencingToken(attempt)) };
}

/** It goes with the Deployment. */
export function permitObject(owner: PermitOwner, attempt: HookPodIdentity): ConfigMap {
  const { name, uid } = owner;
  const owning = { apiVersion: apiVersionOf(deployments), kind: deployments.kind, name, uid };
  return {
    metadata: {
      ...permitKey(owner),
      labels: { [OF_DEPLOYMENT]: deploymentLabel(name) },
      ownerReferences: [owning],
    },
    data: { ...permitData(attempt) },
  };
}

export function permits(permit: ConfigMap, attempt: HookPodIdentity): boolean {
  return Object.hasOwn(permit.data ?? {}, entryOf(attempt));
}

/** Missing, it holds the container back. */
export function tokenFromPermit(attempt: HookPodIdentity): EnvVarSource {
  return { configMapKeyRef: { name: permitName(attempt.uid), key: entryOf(attempt) } };
}

/** `12-pre-1` */
function entryOf({ number, stage, attempt }: HookPodIdentity): string {
  return `${number}-${stage}-${attempt}`;
}
