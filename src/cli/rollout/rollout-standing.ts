/** The objects of the rollout lifecycle in a cluster, and those that still hold something. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../kube/client.ts';
import { deployments, pods, replicaSets } from '../../kube/resources.ts';
import { type DeploymentLifecycle, deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { isLeftHeld, marksOf } from '../../lifecycles/rollout/machine/marks.ts';
import {
  GATED,
  HOOK_POD_FINALIZER,
  OF_DEPLOYMENT,
  ROLLOUT,
} from '../../lifecycles/rollout/names.ts';
import { listOrNone, nameOf, type StandingScope } from '../install/standing.ts';

export interface RolloutStanding {
  readonly lifecycles: readonly DeploymentLifecycle[];
  /** Deployments whose changes reach the gate, or that have a rollout number. */
  readonly gated: readonly Deployment[];
  /** ReplicaSets of the namespaces of these Deployments. */
  readonly sets: readonly ReplicaSet[];
  readonly hookPods: readonly Pod[];
}

export async function gatherRollouts(
  client: KubeClient,
  scope: StandingScope,
): Promise<RolloutStanding> {
  const [lifecycles, all, hookPods] = await Promise.all([
    listOrNone(client, deploymentLifecycles, scope),
    listOrNone<Deployment>(client, deployments, scope),
    listOrNone(client, pods, { ...scope, labelSelector: OF_DEPLOYMENT }),
  ]);
  const gated = all.filter(
    ({ metadata }) =>
      metadata?.labels?.[GATED] !== undefined || metadata?.annotations?.[ROLLOUT] !== undefined,
  );
  const sets = await setsOf(client, gated.filter(isHeld));
  return { lifecycles, gated, sets, hookPods };
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

/** One line for each object that has to end before the kinds can be deleted. Pure. */
export function whatRolloutsHold({
  lifecycles,
  gated,
  hookPods,
}: RolloutStanding): readonly string[] {
  return [
    ...lifecycles.map((lifecycle) => `DeploymentLifecycle ${nameOf(lifecycle)}`),
    ...gated.filter(isHeld).map((one) => `Deployment ${nameOf(one)}, whose rollout is held`),
    ...hookPods
      .filter(({ metadata }) => metadata?.finalizers?.includes(HOOK_POD_FINALIZER) === true)
      .map((pod) => `Pod ${nameOf(pod)} of a hook`),
  ];
}

/** False for a Deployment that a deleted lifecycle left paused: only a user can continue it. */
export function isHeld(deployment: Deployment): boolean {
  const { labelled, number, released, wanted } = marksOf(deployment);
  if (!labelled && isLeftHeld(deployment)) return false;
  return (number !== null && number !== released) || wanted !== null;
}
