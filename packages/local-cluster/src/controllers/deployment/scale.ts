/** The number of pods has changed, or the deployment is paused: no set is made, only sizes change. */
import { isRolling, replicasOf } from './limits.ts';
import type { DeploymentPass } from './pass.ts';
import { sharesOf } from './proportions.ts';
import {
  activeOrLatest,
  allOf,
  DESIRED_ANNOTATION,
  isActiveSet,
  isSaturated,
  type ReplicaSets,
} from './replica-sets.ts';
import { resizeSet, writeSize } from './resize-set.ts';

/** A set that has pods was sized for another number than the deployment has now. */
export function isScaled({ deployment }: DeploymentPass, sets: ReplicaSets): boolean {
  return allOf(sets)
    .filter(isActiveSet)
    .some(({ metadata }) => {
      const desired = metadata?.annotations?.[DESIRED_ANNOTATION];
      return desired !== undefined && Number(desired) !== replicasOf(deployment);
    });
}

export async function scale(pass: DeploymentPass, sets: ReplicaSets): Promise<void> {
  const { deployment } = pass;
  const only = activeOrLatest(sets);
  if (only !== null) {
    await resizeSet(pass, only, replicasOf(deployment));
    return;
  }
  if (isSaturated(sets.current, replicasOf(deployment))) {
    for (const set of sets.old.filter(isActiveSet)) await resizeSet(pass, set, 0);
    return;
  }
  if (!isRolling(deployment)) return;
  for (const { set, size } of sharesOf(deployment, allOf(sets).filter(isActiveSet))) {
    await writeSize(pass, set, size);
  }
}
