/** For hooks after a deployment: the pods of these namespaces, without those of templates that were replaced. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { makeResource } from '../../../kube/resources.ts';
import { mapAtOnce } from '../build/at-once.ts';
import { CONTAINER_WAIT_MS, type ContainerFacts, type PodsLook } from '../hooks/run-context.ts';
import type { Deployed, KubeTarget, PipelineSession } from '../session.ts';
import { keyIn, refOf, titleOf } from './object-name.ts';
import { hasPods, readWorkload } from './read-workload.ts';
import { ageOf, wantedPods, type Workload } from './workload.ts';

/** Requests at once. */
export const LOOKS_AT_ONCE = 8;

/** Where hooks after a deployment run, and until when they wait for its pods. */
export function deployedContainers(
  session: PipelineSession,
  { namespaces, objects }: Deployed,
): ContainerFacts {
  const { target } = session;
  const { cluster, tell } = session.hooks;
  const facts = { namespaces, image: null, waitMs: CONTAINER_WAIT_MS };
  if (target === null || cluster === null) return facts;
  const said = new Set<string>();
  const unread = (object: KubeObject): void => {
    const title = titleOf(refOf(object));
    if (said.has(title)) return;
    said.add(title);
    const message = `The ReplicaSets of ${title} cannot be listed (403), so hooks may also run in pods that it replaces. Next: grant list on replicasets.apps.`;
    tell({ type: 'Warning', code: 'LHL419', message });
  };
  const look = async (): Promise<PodsLook> => {
    const found = await mapAtOnce(
      objects.filter(followsTemplate),
      LOOKS_AT_ONCE,
      async (object) => {
        const workload = await readNow(object, target);
        if (workload === 'unreadable') unread(object);
        return workload;
      },
    );
    const workloads = found.filter((one) => one !== null && one !== 'unreadable');
    return lookOf(workloads, await cluster.pods(namespaces));
  };
  return { ...facts, look };
}

/** Pure. */
export function lookOf(workloads: readonly Workload[], pods: readonly Pod[]): PodsLook {
  const current = pods.filter((pod) => workloads.every((one) => ageOf(pod, one) !== 'older'));
  const isMissing = workloads.some((one) => {
    const newest = current.filter(
      (pod) => pod.metadata?.deletionTimestamp === undefined && ageOf(pod, one) === 'newest',
    );
    return newest.length < wantedPods(one);
  });
  return { pods: current, isMissing };
}

/** A Job's pods come and go, and a pod has no template. */
function followsTemplate(object: KubeObject): boolean {
  return hasPods(object) && object.kind !== 'Job' && object.kind !== 'Pod';
}

/** null: it was deleted. */
async function readNow(
  object: KubeObject,
  target: KubeTarget,
): Promise<Workload | 'unreadable' | null> {
  const { apiVersion, kind, ...ref } = refOf(object);
  const resource = makeResource({ apiVersion, kind });
  const found = await getOrNull(target.client, resource, keyIn({ apiVersion, kind, ...ref }));
  if (found === null) return null;
  return (await readWorkload({ ...found, apiVersion, kind }, target)) ?? 'unreadable';
}
