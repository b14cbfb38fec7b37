/** A workload that a restore stops: its replicas, its pods, and the claims that it uses (SNAP-V9). */
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { PersistentVolumeClaim, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { controllerOf } from '../../../controller/indexes.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { labelSelectorText, matchesLabels } from '../../../kube/label-selector.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { makeResource, pods } from '../../../kube/resources.ts';
import type { ScaleAction } from './kinds.ts';
import { hasEnded } from '../../../kube/pod-state.ts';

/** The fields of a Deployment or a StatefulSet that a restore reads. */
export interface Workload extends KubeObject {
  spec?: {
    replicas?: number;
    selector?: LabelSelector;
    template?: PodTemplateSpec;
    volumeClaimTemplates?: PersistentVolumeClaim[];
    persistentVolumeClaimRetentionPolicy?: { whenScaled?: string };
  };
}

export interface ScaleState {
  readonly uid: string;
  readonly wanted: number;
  /** Number of pods that have not ended. Terminating pods count too; the status of a Deployment leaves them out. */
  readonly actual: number;
  /** Whether the workload's controller deletes its claims when it is scaled to 0. */
  readonly deletesClaims: boolean;
}

type Named = Pick<ScaleAction, 'kind' | 'name'>;

/** null: the workload does not exist. */
export function readWorkload(
  client: KubeClient,
  namespace: string,
  { kind, name }: Named,
): Promise<Workload | null> {
  return getOrNull(client, resourceOf(kind), { namespace, name });
}

/** null: the workload does not exist. */
export async function readScale(
  client: KubeClient,
  namespace: string,
  named: Named,
): Promise<ScaleState | null> {
  const workload = await readWorkload(client, namespace, named);
  if (workload === null) return null;
  const { selector = {}, persistentVolumeClaimRetentionPolicy: policy } = workload.spec ?? {};
  const labelSelector = labelSelectorText(selector);
  const { items } = await client.list(pods, { namespace, labelSelector });
  const own = items.filter((pod) => {
    const isMatched = matchesLabels(selector, pod.metadata?.labels ?? {});
    return isMatched && controllerOf(pod)?.kind === POD_OWNERS[named.kind];
  });
  return {
    uid: workload.metadata?.uid ?? '',
    wanted: wantedOf(workload),
    actual: own.filter((pod) => !hasEnded(pod)).length,
    deletesClaims: policy?.whenScaled === 'Delete',
  };
}

const POD_OWNERS: Readonly<Record<ScaleAction['kind'], string>> = {
  Deployment: 'ReplicaSet',
  StatefulSet: 'StatefulSet',
};

export function wantedOf({ spec }: Workload): number {
  return spec?.replicas ?? 1;
}

/** Whether the workload's pods mount the claim of this name. Pure. */
export function usesClaim({ metadata, spec }: Workload, claim: string): boolean {
  const { template, volumeClaimTemplates = [] } = spec ?? {};
  const volumes = template?.spec?.volumes ?? [];
  return (
    volumes.some(({ persistentVolumeClaim: used }) => used?.claimName === claim) ||
    volumeClaimTemplates.some((each) => {
      const prefix = `${each.metadata?.name ?? ''}-${metadata?.name ?? ''}-`;
      return claim.startsWith(prefix) && /^\d+$/.test(claim.slice(prefix.length));
    })
  );
}

export interface NewScale extends Named {
  readonly replicas: number;
  /** UID of the workload that was read. A recreated workload of the same name is not scaled. */
  readonly uid: string;
  /** The resourceVersion that was read; absent: the replicas are set whatever the version. */
  readonly resourceVersion?: string | undefined;
}

/** Rejects with Conflict if the workload has another UID, or another resourceVersion than the given one. */
export async function setScale(
  client: KubeClient,
  namespace: string,
  { kind, name, replicas, uid, resourceVersion }: NewScale,
): Promise<void> {
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  const body = { metadata: { uid, ...version }, spec: { replicas } };
  const options = { type: 'merge', body, subresource: 'scale' } as const;
  await client.patch(resourceOf(kind), { namespace, name }, options);
}

function resourceOf(kind: ScaleAction['kind']): ReturnType<typeof makeResource<Workload>> {
  return makeResource<Workload>({ apiVersion: 'apps/v1', kind });
}
