/** Finds the pods for hooks after a deployment: those of its namespaces, without pods of replaced templates. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { orNull } from '../../../kube/api-error.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { labelSelectorText } from '../../../kube/label-selector.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { makeResource, pods as podKind, replicaSets } from '../../../kube/resources.ts';
import { mapAtOnce } from '../build/file-digest.ts';
import { CONTAINER_WAIT_MS, type ContainerFacts, type PodsLook } from '../hooks/run-context.ts';
import type { Deployed, KubeTarget, PipelineSession } from '../session.ts';
import { keyIn, refOf, titleOf } from './object-name.ts';
import { ageOf, ownerOf, wantedPods, type Workload } from './workload.ts';

/** Maximum number of parallel requests. */
export const LOOKS_AT_ONCE = 8;

/** The containers in which hooks after a deployment run, and how long to wait for them. */
export function deployedContainers(
  session: PipelineSession,
  { namespaces, objects }: Deployed,
): ContainerFacts {
  const { target } = session;
  const { cluster, emit } = session.hooks;
  const facts = { namespaces, image: null, waitMs: CONTAINER_WAIT_MS };
  if (target === null || cluster === null) return facts;
  const said = new Set<string>();
  const unread = (object: KubeObject): void => {
    const title = titleOf(refOf(object));
    if (said.has(title)) return;
    said.add(title);
    const message = `The ReplicaSets of ${title} cannot be listed (403), so hooks may also run in pods that it replaces. Next: grant list on replicasets.apps.`;
    emit({ type: 'Warning', code: 'LHL419', message });
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

/** Selects the current pods, and finds out whether more are to come. Pure. */
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

/** Excludes Jobs, which create pods at any time, and pods, which have no template. */
function followsTemplate(object: KubeObject): boolean {
  return hasPods(object) && object.kind !== 'Job' && object.kind !== 'Pod';
}

/** null: the object was deleted. */
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

const WITH_PODS = new Set([
  'apps/v1 Deployment',
  'apps/v1 StatefulSet',
  'apps/v1 DaemonSet',
  'batch/v1 Job',
  'v1 Pod',
]);

/** Whether the object creates pods or is one. */
export function hasPods({
  apiVersion = '',
  kind = '',
}: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return WITH_PODS.has(`${apiVersion} ${kind}`);
}

/**
 * The workload in the cluster, and all pods that its selector selects, of any template. Needs at most two requests: for
 * the ReplicaSets and then for the pods. `object`: as it was just read. null: the user may not list the pods or
 * ReplicaSets.
 */
export async function readPods(
  object: KubeObject,
  target: KubeTarget,
): Promise<{ readonly workload: Workload; readonly pods: readonly Pod[] } | null> {
  if (object.kind === 'Pod') return { workload: { object, sets: [] }, pods: [object as Pod] };
  const workload = await readWorkload(object, target);
  if (workload === null) return null;
  const listed = await orNull(target.client.list(podKind, selectedBy(object)), 'Forbidden');
  return listed === null ? null : { workload, pods: listed.items };
}

/** null: the user may not list the ReplicaSets of the workload. */
function readWorkload(object: KubeObject, target: KubeTarget): Promise<Workload | null> {
  return orNull(readSets(object, target), 'Forbidden');
}

/**
 * A workload with its ReplicaSets, if it is a Deployment. Call it with an object that was read before: then the list
 * has every ReplicaSet that its status mentions.
 */
async function readSets(object: KubeObject, { client }: KubeTarget): Promise<Workload> {
  if (object.kind !== 'Deployment') return { object, sets: [] };
  const { items } = await client.list(replicaSets, selectedBy(object));
  return { object, sets: items.filter((set) => ownerOf(set) === object.metadata?.uid) };
}

function selectedBy(object: KubeObject): { namespace?: string; labelSelector: string } {
  const { spec } = object as Deployment;
  const { namespace } = object.metadata ?? {};
  const labelSelector = labelSelectorText(spec?.selector ?? {});
  return { ...(namespace === undefined ? {} : { namespace }), labelSelector };
}
