/** What the cluster shows of a workload and its pods: three requests at most, the object first. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isReason } from '../../../kube/api-error.ts';
import { labelSelectorText } from '../../../kube/label-selector-text.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { pods, replicaSets } from '../../../kube/resources.ts';
import type { KubeTarget } from '../session.ts';
import { ownerOf, type Workload } from './workload.ts';

const WITH_PODS = new Set([
  'apps/v1 Deployment',
  'apps/v1 StatefulSet',
  'apps/v1 DaemonSet',
  'batch/v1 Job',
  'v1 Pod',
]);

/** Whether pods come of it, or it is one. */
export function hasPods({
  apiVersion = '',
  kind = '',
}: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return WITH_PODS.has(`${apiVersion} ${kind}`);
}

/** With the pods that its selector selects, of whichever template; null: the user may not list them. */
export async function readPods(
  object: KubeObject,
  target: KubeTarget,
): Promise<{ readonly workload: Workload; readonly pods: readonly Pod[] } | null> {
  if (object.kind === 'Pod') return { workload: { object, sets: [] }, pods: [object as Pod] };
  return nullIfForbidden(async () => {
    const workload = await readSets(object, target);
    const { items } = await target.client.list(pods, selectedBy(object));
    return { workload, pods: items };
  });
}

/** null: the user may not list its ReplicaSets. */
export function readWorkload(object: KubeObject, target: KubeTarget): Promise<Workload | null> {
  return nullIfForbidden(() => readSets(object, target));
}

/** The object is older than the sets: what it says its controller has made is among them. */
async function readSets(object: KubeObject, { client }: KubeTarget): Promise<Workload> {
  if (object.kind !== 'Deployment') return { object, sets: [] };
  const { items } = await client.list(replicaSets, selectedBy(object));
  return { object, sets: items.filter((set) => ownerOf(set) === object.metadata?.uid) };
}

async function nullIfForbidden<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isReason(error, 'Forbidden')) return null;
    throw error;
  }
}

function selectedBy(object: KubeObject): { namespace?: string; labelSelector: string } {
  const { spec } = object as Deployment;
  const { namespace } = object.metadata ?? {};
  const labelSelector = labelSelectorText(spec?.selector ?? {});
  return { ...(namespace === undefined ? {} : { namespace }), labelSelector };
}
