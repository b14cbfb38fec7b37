/** Assigns the pods of a workload to its newest template or an older one. Pure over the observed objects. */
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { KubeObject } from '../../../kube/object.ts';

/** An object that owns pods, or a pod itself, as the server has it now. */
export interface Workload {
  readonly object: KubeObject;
  /** For a Deployment: its ReplicaSets; else empty. */
  readonly sets: readonly ReplicaSet[];
}

export type PodAge = 'newest' | 'older' | 'unrelated';

const REVISION = 'deployment.kubernetes.io/revision';
const SET_REVISION = 'controller-revision-hash';
const DAEMON_TEMPLATE = 'deprecated.daemonset.template.generation';
const DAEMON_POD = 'pod-template-generation';

/**
 * Whether a pod is of the newest template. Until a controller has seen that template, every pod of the workload is
 * older.
 */
export function ageOf(pod: Pod, workload: Workload): PodAge {
  const { object } = workload;
  if (object.kind === 'Pod') {
    return pod.metadata?.uid === object.metadata?.uid ? 'newest' : 'unrelated';
  }
  const owner = ownerOf(pod);
  if (owner === undefined) return 'unrelated';
  return object.kind === 'Deployment' ? ageInSets(owner, workload) : ageIn(pod, owner, object);
}

function ageInSets(owner: string, { object, sets }: Workload): PodAge {
  const set = sets.find(({ metadata }) => metadata?.uid === owner);
  if (set === undefined) return 'unrelated';
  return !isUnseen(object) && set === newestSet(sets) ? 'newest' : 'older';
}

function ageIn(pod: Pod, owner: string, object: KubeObject): PodAge {
  if (owner !== object.metadata?.uid) return 'unrelated';
  if (object.kind === 'Job') return 'newest';
  return !isUnseen(object) && isOfTemplate(pod, object) ? 'newest' : 'older';
}

/** Number of pods that the newest template will have; 0 if pods do not follow their template automatically. */
export function wantedPods({ object }: Workload): number {
  const { kind = '' } = object;
  if (kind === 'Deployment') return (object as Deployment).spec?.replicas ?? 1;
  if (kind === 'StatefulSet') return wantedOfSet(object as StatefulSet);
  return kind === 'DaemonSet' ? wantedOnNodes(object as DaemonSet) : 0;
}

function wantedOnNodes({ spec, status }: DaemonSet): number {
  return spec?.updateStrategy?.type === 'OnDelete' ? 0 : (status?.desiredNumberScheduled ?? 0);
}

function wantedOfSet({ spec }: StatefulSet): number {
  const { replicas = 1, updateStrategy: { type, rollingUpdate } = {} } = spec ?? {};
  return type === 'OnDelete' ? 0 : Math.max(0, replicas - (rollingUpdate?.partition ?? 0));
}

/** Whether the object's controller has not observed the newest change yet. */
export function isUnseen(object: KubeObject): boolean {
  const { metadata, status } = object as Deployment;
  return (status?.observedGeneration ?? 0) < (metadata?.generation ?? 0);
}

/** The UID of the controller that owns the pod or ReplicaSet. */
export function ownerOf({ metadata }: Pod | ReplicaSet): string | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** The ReplicaSet with the highest revision number. After a rollback, that is the ReplicaSet of the old template. */
function newestSet(sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
}

function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata?.annotations?.[REVISION] ?? 0);
}

/**
 * Whether the pod is of the newest template. If the server does not record a revision of the template, every pod is.
 */
function isOfTemplate({ metadata }: Pod, object: KubeObject): boolean {
  const labels = metadata?.labels ?? {};
  const wanted =
    object.kind === 'StatefulSet'
      ? { name: SET_REVISION, value: (object as StatefulSet).status?.updateRevision }
      : { name: DAEMON_POD, value: object.metadata?.annotations?.[DAEMON_TEMPLATE] };
  return wanted.value === undefined || labels[wanted.name] === wanted.value;
}
