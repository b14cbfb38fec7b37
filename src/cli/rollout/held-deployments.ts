/** Finds Deployments that hold an unreleased template, and what each runs when its lifecycle is deleted. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../controller/indexes.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { atDeletion, whatFollows } from '../../lifecycles/rollout/machine/at-deletion.ts';
import { oldestFirst } from '../../lifecycles/rollout/machine/caches.ts';
import { nameOf } from '../install/standing.ts';
import { isHeld, type RolloutStanding } from './rollout-standing.ts';

/** For each held Deployment: "Deployment shop/web: rollout 5 (template …) is taken back, …". Pure. */
export function heldLines(standing: RolloutStanding, releaseHeld: boolean): readonly string[] {
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
    return isHeld(deployment) ? 'what is held starts: no DeploymentLifecycle names it' : null;
  }
  const own = sets.filter((set) => controllerOf(set)?.uid === uid);
  const spec = releaseHeld ? { ...lifecycle.spec, onDelete: 'Release' as const } : lifecycle.spec;
  const facts = { deployment, lifecycle: { ...lifecycle, spec }, sets: own };
  return atDeletion(facts).kind === 'nothingHeld' ? null : whatFollows(facts);
}

/** `--release-held`: the deletion of these lifecycles starts the held templates. */
export async function setToRelease(
  client: KubeClient,
  lifecycles: RolloutStanding['lifecycles'],
): Promise<void> {
  for (const { metadata, spec } of lifecycles) {
    if (spec.onDelete === 'Release') continue;
    const { namespace = '', name = '', uid } = metadata ?? {};
    const body = { metadata: uid === undefined ? {} : { uid }, spec: { onDelete: 'Release' } };
    try {
      await client.patch(deploymentLifecycles, { namespace, name }, { type: 'merge', body });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
