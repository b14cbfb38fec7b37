/** RollingUpdate: the new set grows and the old ones shrink, one step a pass, within the limits. */
import { replicasOf } from './limits.ts';
import type { DeploymentPass } from './pass.ts';
import { withCurrent } from './current-set.ts';
import { isActiveSet, type ReplicaSets, sizeOf } from './replica-sets.ts';
import { resizeSet } from './resize-set.ts';
import { currentSetSize, planOldSets } from './rolling-plan.ts';

/** Resolves with the sets as they were found; what was changed comes back with the next pass. */
export async function rollForward(pass: DeploymentPass, found: ReplicaSets): Promise<ReplicaSets> {
  const sets = await withCurrent(pass, found);
  const { current, old } = sets;
  const { deployment } = pass;
  const replicas = replicasOf(deployment);
  const wanted =
    sizeOf(current) > replicas ? replicas : currentSetSize(deployment, old, sizeOf(current));
  if (await resizeSet(pass, current, wanted)) return sets;
  for (const { set, size } of planOldSets(deployment, current, old.filter(isActiveSet))) {
    await resizeSet(pass, set, size);
  }
  return sets;
}
