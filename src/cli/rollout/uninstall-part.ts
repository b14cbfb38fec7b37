/** How `lifehook uninstall` ends rollouts. */
import type { Resource } from '../../kube/object.ts';
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import type { UninstallPart } from '../lifecycle-parts.ts';
import { heldLines, setToRelease } from './held-deployments.ts';
import { gatherRollouts, whatRolloutsHold } from './rollout-standing.ts';

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
