/** How `lifehook uninstall` ends rollouts. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../controller/indexes.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { Resource } from '../../kube/object.ts';
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import { atDeletion, whatFollows } from '../../lifecycles/rollout/machine/at-deletion.ts';
import { oldestFirst } from '../../lifecycles/rollout/machine/caches.ts';
import { nameOf } from '../install/standing.ts';
import type { UninstallPart } from '../lifecycle-parts.ts';
import {
  gatherRollouts,
  isHeld,
  type RolloutStanding,
  whatRolloutsHold,
} from './rollout-standing.ts';

export const ended: readonly Resource[] = [deploymentLifecycles];
export const records: readonly Resource[] = [hookRuns];

export const gather: UninstallPart['gather'] = async (client, scope) => {
  const standing = await gatherRollouts(client, scope);
  return {
    holds: whatRolloutsHold(standing),
    afterwards: (releaseHeld) => heldLines(standing, releaseHeld),
    release: () => setToRelease(client, standing.lifecycles),
  };
};

/** For each held Deployment: "Deployment shop/web: rollout 5 (template …) is taken back, …". Pure. */
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
    return isHeld(deployment) ? 'what is held starts: no DeploymentLifecycle names it' : null;
  }
  const own = sets.filter((set) => controllerOf(set)?.uid === uid);
  const spec = releaseHeld ? { ...lifecycle.spec, onDelete: 'Release' as const } : lifecycle.spec;
  const facts = { deployment, lifecycle: { ...lifecycle, spec }, sets: own };
  return atDeletion(facts).kind === 'nothingHeld' ? null : whatFollows(facts);
}

/** `--release-held`: the deletion of these lifecycles starts the held templates. */
async function setToRelease(
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
