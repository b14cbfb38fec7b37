/** The objects of Lifehook in a cluster, and those that still hold something. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { deployments, pods, replicaSets } from '../../kube/resources.ts';
import { type DeploymentLifecycle, deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { isLeftHeld, marksOf } from '../../lifecycles/rollout/machine/marks.ts';
import {
  GATED,
  HOOK_POD_FINALIZER,
  OF_DEPLOYMENT,
  ROLLOUT,
} from '../../lifecycles/rollout/names.ts';
import { frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../lifecycles/snapshot/kinds.ts';

export interface Standing {
  readonly lifecycles: readonly DeploymentLifecycle[];
  readonly snapshots: readonly ApplicationSnapshot[];
  readonly hooks: readonly ExecutionHook[];
  /** Deployments whose changes reach the gate, or that have a rollout number. */
  readonly gated: readonly Deployment[];
  /** ReplicaSets of the namespaces of these Deployments. */
  readonly sets: readonly ReplicaSet[];
  readonly hookPods: readonly Pod[];
}

/** Absent: all namespaces. */
export interface StandingScope {
  readonly namespace?: string;
}

export async function gatherStanding(client: KubeClient, scope: StandingScope): Promise<Standing> {
  const [lifecycles, snapshots, hooks, all, hookPods] = await Promise.all([
    listOrNone(client, deploymentLifecycles, scope),
    listOrNone(client, applicationSnapshots, scope),
    listOrNone(client, executionHooks, scope),
    listOrNone<Deployment>(client, deployments, scope),
    listOrNone(client, pods, { ...scope, labelSelector: OF_DEPLOYMENT }),
  ]);
  const gated = all.filter(
    ({ metadata }) =>
      metadata?.labels?.[GATED] !== undefined || metadata?.annotations?.[ROLLOUT] !== undefined,
  );
  const sets = await setsOf(client, gated.filter(isHeld));
  return { lifecycles, snapshots, hooks, gated, sets, hookPods };
}

async function setsOf(
  client: KubeClient,
  held: readonly Deployment[],
): Promise<readonly ReplicaSet[]> {
  const names = [...new Set(held.map(({ metadata }) => metadata?.namespace ?? ''))];
  const lists = await Promise.all(
    names.map((namespace) => listOrNone<ReplicaSet>(client, replicaSets, { namespace })),
  );
  return lists.flat();
}

/** Empty if the server does not know the kind, as after half of an uninstall. */
export async function listOrNone<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  scope: StandingScope & { readonly labelSelector?: string },
): Promise<readonly T[]> {
  try {
    return (await client.list(resource, scope)).items;
  } catch (error) {
    if (isReason(error, 'NotFound')) return [];
    throw error;
  }
}

/** One line for each object that has to end before the kinds can be deleted. Pure. */
export function whatHolds({
  lifecycles,
  snapshots,
  hooks,
  gated,
  hookPods,
}: Standing): readonly string[] {
  return [
    ...hooks.map((hook) => `ExecutionHook ${nameOf(hook)}${frozenText(hook)}`),
    ...snapshots.map((snapshot) => `ApplicationSnapshot ${nameOf(snapshot)}`),
    ...lifecycles.map((lifecycle) => `DeploymentLifecycle ${nameOf(lifecycle)}`),
    ...gated.filter(isHeld).map((one) => `Deployment ${nameOf(one)}, whose rollout is held`),
    ...hookPods
      .filter(({ metadata }) => metadata?.finalizers?.includes(HOOK_POD_FINALIZER) === true)
      .map((pod) => `Pod ${nameOf(pod)} of a hook`),
  ];
}

function frozenText(hook: ExecutionHook): string {
  const frozen = frozenTargets(hook);
  if (frozen.length === 0) return '';
  const { namespace = '', name = '' } = hook.metadata ?? {};
  const isUnproven = frozen.some((each) => each.unproven);
  const thenWhat = isUnproven
    ? ` (no thaw is proven: look at the node, then lifehook snapshot release ${name} -n ${namespace} --by YOU)`
    : '';
  const places = frozen.map(({ pod, container }) => `${pod}/${container}`);
  return `, which holds ${places.join(' and ')} frozen${thenWhat}`;
}

/** False for a Deployment that a deleted lifecycle left paused: only a user can continue it. */
export function isHeld(deployment: Deployment): boolean {
  const { labelled, number, released, wanted } = marksOf(deployment);
  if (!labelled && isLeftHeld(deployment)) return false;
  return (number !== null && number !== released) || wanted !== null;
}

/** Example: "shop/db-0" */
export function nameOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
