/** Collects the facts of one Deployment from the caches, and from the server if outdated facts could do harm. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { controllerOf } from '../../../controller/indexes.ts';
import { parseKey } from '../../../controller/object-key.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { isReason } from '../../../kube/api-error.ts';
import { labelSelectorText } from '../../../kube/label-selector.ts';
import { namespaces, pods, replicaSets } from '../../../kube/resources.ts';
import { deploymentLabel } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';
import type { IsAuthored } from '../gate/review-authors.ts';
import { gateStateOf } from '../gate/gate-state.ts';
import { type DeploymentLifecycle, deploymentLifecycles, type Phase } from '../kinds.ts';
import { OF_DEPLOYMENT, OF_DEPLOYMENT_UID } from '../names.ts';
import { oldestFirst, type RolloutCaches } from './caches.ts';
import type { RolloutFacts } from './facts.ts';
import type { GateVerdict } from './gate-verdict.ts';
import { marksOf } from './marks.ts';
import { lastRollout, nameOf, replicasOf, uidOf, isObserved } from './parts.ts';

export interface Gathering {
  readonly caches: RolloutCaches;
  readonly client: KubeClient;
  readonly nowMs: number;
  readonly gate: GateVerdict | null;
  readonly isAuthored: IsAuthored;
}

export async function gatherFacts(gathering: Gathering, key: string): Promise<RolloutFacts> {
  const { caches, nowMs, gate } = gathering;
  const { namespace = '', name } = parseKey(key);
  const deployment = caches.deployment(key);
  const [lifecycle = null, ...rivals] = await lifecyclesOf(gathering, deployment, key);
  const phase = lifecycle?.status?.rollout?.phase;
  const sets = deployment === null ? [] : await setsOf(gathering, deployment, phase);
  const isDraining = phase === 'Draining';
  const livePods =
    isDraining && deployment !== null ? await livePodsOf(gathering, deployment, sets) : null;
  return {
    nowMs,
    key: { namespace, name },
    lifecycle,
    rivals,
    deployment,
    sets,
    hookPods: await hookPodsOf(gathering, { namespace, name, deployment, lifecycle }),
    hookRuns: caches.hookRunsOf(key),
    livePods,
    isNamespaceTerminating: await isNamespaceTerminating(gathering, lifecycle, namespace),
    gate,
    isAuthored: lifecycle === null || gathering.isAuthored(lifecycle),
  };
}

/**
 * Whether the namespace of a terminating lifecycle is terminating or deleted. If the permission is missing, as with the
 * roles of an older installation, the namespace counts as not terminating.
 */
async function isNamespaceTerminating(
  { client }: Gathering,
  lifecycle: DeploymentLifecycle | null,
  name: string,
): Promise<boolean> {
  if (lifecycle === null || !isTerminating(lifecycle)) return false;
  try {
    return isTerminating(await client.get(namespaces, { name }));
  } catch (error) {
    if (isReason(error, 'NotFound')) return true;
    if (isReason(error, 'Forbidden')) return false;
    throw error;
  }
}

/**
 * The lifecycles from the cache. If the cache has none, they are listed from the server: without a lifecycle, a gated
 * Deployment would be released.
 */
async function lifecyclesOf(
  { caches, client }: Gathering,
  deployment: Deployment | null,
  key: string,
): Promise<readonly DeploymentLifecycle[]> {
  const known = caches.lifecyclesOf(key);
  if (known.length > 0 || deployment === null || !gateStateOf(deployment).gated) return known;
  const { namespace = '' } = deployment.metadata ?? {};
  const { items } = await client.list(deploymentLifecycles, { namespace });
  return oldestFirst(items, key);
}

interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly deployment: Deployment | null;
  readonly lifecycle: DeploymentLifecycle | null;
}

/**
 * The hook pods from the cache. Before a rollout number is opened, the pods are listed from the server, because a new
 * one may be in no cache yet (ROLL-DH18).
 */
async function hookPodsOf(
  { caches, client }: Gathering,
  { namespace, name, deployment, lifecycle }: Named,
): Promise<readonly Pod[]> {
  const known = caches.hookPodsOf({ namespace, name });
  if (deployment === null || lifecycle === null) return known;
  const { number, released } = marksOf(deployment);
  const isOpen = lastRollout(lifecycle)?.number === number;
  if (number === null || number === released || isOpen || known.some((pod) => !isFinished(pod))) {
    return known;
  }
  const labelSelector = `${OF_DEPLOYMENT}=${deploymentLabel(name)}`;
  return (await client.list(pods, { namespace, labelSelector })).items;
}

/**
 * The ReplicaSets from the cache. During a restore they are listed from the server, because the cache may still have
 * the earlier replica counts.
 */
async function setsOf(
  { caches, client }: Gathering,
  deployment: Deployment,
  phase: Phase | undefined,
): Promise<readonly ReplicaSet[]> {
  const uid = deployment.metadata?.uid ?? '';
  const found =
    phase === 'Restoring'
      ? (await client.list(replicaSets, selectedBy(deployment))).items
      : caches.sets.byIndex('owner', uid);
  return found.filter((set) => controllerOf(set)?.uid === uid);
}

function selectedBy({ metadata, spec }: Deployment): {
  readonly namespace: string;
  readonly labelSelector: string;
} {
  const labelSelector = labelSelectorText(spec?.selector ?? {});
  return { namespace: metadata?.namespace ?? '', labelSelector };
}

/**
 * Names of the pods that may be alive, and of the objects that may still create some. If the cache has live pods, they
 * are returned. If it has none, that proves nothing, and the server is asked (ROLL-E6). A controller that has not
 * observed the scale to 0 may create pods for an earlier count. The pods are therefore listed only after every
 * controller has observed it.
 */
async function livePodsOf(
  { caches, client }: Gathering,
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): Promise<readonly string[]> {
  const owned = sets.flatMap(({ metadata }) => caches.pods.byIndex('owner', metadata?.uid ?? ''));
  const known = alive(owned);
  if (known.length > 0) return known;
  const selected = selectedBy(deployment);
  const behind = makersBehind(deployment, (await client.list(replicaSets, selected)).items);
  return behind.length > 0 ? behind : alive((await client.list(pods, selected)).items);
}

function alive(candidates: readonly Pod[]): readonly string[] {
  return candidates
    .filter((pod) => pod.metadata?.labels?.[OF_DEPLOYMENT_UID] === undefined && !isFinished(pod))
    .map(({ metadata }) => metadata?.name ?? '');
}

/**
 * Names of objects whose controller may not have observed the scale to 0 yet, and may still create pods (ROLL-E6).
 * Pure.
 */
export function makersBehind(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): readonly string[] {
  if (!isObserved(deployment)) return [`Deployment ${nameOf(deployment)}`];
  return sets
    .filter((set) => controllerOf(set)?.uid === uidOf(deployment))
    .filter((set) => replicasOf(set) > 0 || !isObserved(set))
    .map((set) => `ReplicaSet ${nameOf(set)}`);
}
