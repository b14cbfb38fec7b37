/**
 * Recreate: all old pods go, and only when the last of them is really gone does the new set come. A pod
 * that is terminating, or on a node that nobody hears of, is not gone.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { controllerOf } from '../../../../../src/controller/indexes.ts';
import { hasEnded } from '../workload/pod-facts.ts';
import { withCurrent } from './current-set.ts';
import { replicasOf } from './limits.ts';
import type { DeploymentPass } from './pass.ts';
import { counted, isActiveSet, type ReplicaSets } from './replica-sets.ts';
import { resizeSet } from './resize-set.ts';

export async function recreate(pass: DeploymentPass, found: ReplicaSets): Promise<ReplicaSets> {
  const active = found.old.filter(isActiveSet);
  for (const set of active) await resizeSet(pass, set, 0);
  if (active.length > 0 || oldPodsRun(found, pass.pods)) return found;
  const sets = await withCurrent(pass, found);
  await resizeSet(pass, sets.current, replicasOf(pass.deployment));
  return sets;
}

export function oldPodsRun({ current, old }: ReplicaSets, pods: readonly Pod[]): boolean {
  if (counted(old, 'replicas') > 0) return true;
  const others = pods.filter((pod) => controllerOf(pod)?.uid !== current?.metadata?.uid);
  return others.some((pod) => !hasEnded(pod));
}
