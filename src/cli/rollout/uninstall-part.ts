/** Ends rollouts for `lifehook uninstall`. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { controllerOf } from '../../controller/indexes.ts';
import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { Resource } from '../../kube/object.ts';
import { deployments, pods, replicaSets } from '../../kube/resources.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  hookRuns,
} from '../../lifecycles/rollout/kinds.ts';
import { atDeletion, whatFollows } from '../../lifecycles/rollout/machine/at-deletion.ts';
import { oldestFirst } from '../../lifecycles/rollout/machine/caches.ts';
import { isLeftHeld, marksOf } from '../../lifecycles/rollout/machine/marks.ts';
import {
  GATED,
  HOOK_POD_FINALIZER,
  OF_DEPLOYMENT,
  ROLLOUT,
} from '../../lifecycles/rollout/names.ts';
import { listOrNone, nameOf, type StandingScope } from '../install/standing.ts';
import type { UninstallPart } from '../lifecycle-parts.ts';

export const ended: UninstallPart['ended'] = [{ resource: deploymentLifecycles }];
export const records: readonly Resource[] = [hookRuns];

export const gather: UninstallPart['gather'] = async (client, scope) => {
  const standing = await gatherRollouts(client, scope);
  return {
    holds: whatRolloutsHold(standing),
    afterwards: (releaseHeld) => heldLines(standing, releaseHeld),
    release: () => setToRelease(client, standing.lifecycles),
  };
};

/** One line for each held Deployment: "Deployment shop/web: rollout 5 (template …) is withdrawn, …". Pure. */
function heldLines(standing: RolloutStanding, releaseHeld: boolean): readonly string[] {
  return standing.gated.flatMap((deployment) => {
    const text = heldText(standing, deployment, releaseHeld);
    return text === null ? [] : [`Deployment ${nameOf(deployment)}: ${text}`];
  });
}

function heldText(
  { lifecycles, sets }: RolloutStanding,
  deployment: Deployment,
  releaseHeld: boolean,
): string | null {
  const { uid } = deployment.metadata ?? {};
  const [lifecycle] = oldestFirst(lifecycles, nameOf(deployment));
  if (lifecycle === undefined) {
    return isHeld(deployment)
      ? 'the held template starts: no DeploymentLifecycle names the Deployment'
      : null;
  }
  const own = sets.filter((set) => controllerOf(set)?.uid === uid);
  const spec = releaseHeld ? { ...lifecycle.spec, onDelete: 'Release' as const } : lifecycle.spec;
  const facts = { deployment, lifecycle: { ...lifecycle, spec }, sets: own };
  return atDeletion(facts).kind === 'nothingHeld' ? null : whatFollows(facts);
}

/** Carries out `--release-held`: marks the lifecycles, so that their deletion starts the held templates. */
async function setToRelease(
  client: KubeClient,
  lifecycles: RolloutStanding['lifecycles'],
): Promise<void> {
  for (const { metadata, spec } of lifecycles) {
    if (spec.onDelete === 'Release') continue;
    const { namespace = '', name = '', uid } = metadata ?? {};
    const body = { metadata: uid === undefined ? {} : { uid }, spec: { onDelete: 'Release' } };
    await orNull(
      client.patch(deploymentLifecycles, { namespace, name }, { type: 'merge', body }),
      'NotFound',
    );
  }
}

/** The objects of the rollout lifecycle in a cluster. */
export interface RolloutStanding {
  readonly lifecycles: readonly DeploymentLifecycle[];
  /** Deployments whose changes reach the gate, or that have a rollout number. */
  readonly gated: readonly Deployment[];
  /** ReplicaSets in the namespaces of those of these Deployments that are held. */
  readonly sets: readonly ReplicaSet[];
  readonly hookPods: readonly Pod[];
}

async function gatherRollouts(client: KubeClient, scope: StandingScope): Promise<RolloutStanding> {
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

/** One line for each object that must be finished or deleted before the kinds can be deleted. Pure. */
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

/** True: the Deployment is held. False if a deleted lifecycle left it paused: only a user can continue it. */
function isHeld(deployment: Deployment): boolean {
  const { labelled, number, released, wanted } = marksOf(deployment);
  if (!labelled && isLeftHeld(deployment)) return false;
  return (number !== null && number !== released) || wanted !== null;
}
