/** ROLL-L17: a Deployment that is created with the gate waits for a lifecycle that follows in the same manifest. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { resourceName } from '../../../src/kube/object.ts';
import { deployments } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { deploymentLifecycles } from '../../../src/lifecycles/rollout/kinds.ts';
import type { Entry, SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';

/** Milliseconds. The wait is 5 s, but a creation time has only whole seconds. */
const EXPECTED_MS = 4_000;
const DEPLOYMENTS = resourceName(deployments);

/** Call this only in seeds whose clocks are right, since the creation time is compared with the clock. */
export function judgeWaiting(world: World, api: SimApi): void {
  const sinceMs = new Map<string, number>();
  api.onCommit((entry) => {
    if (entry.resource !== DEPLOYMENTS) return;
    const { uid = '' } = entry.object.metadata;
    const heldMs = sinceMs.get(uid);
    if (isWaiting(entry)) {
      sinceMs.set(uid, heldMs ?? world.elapsedMs);
      return;
    }
    sinceMs.delete(uid);
    if (heldMs === undefined || !isReleased(entry) || hasLifecycle(api)) return;
    judgeRelease(world, world.elapsedMs - heldMs);
  });
}

function judgeRelease(world: World, afterMs: number): void {
  if (afterMs >= EXPECTED_MS) return;
  world.violate('ROLL-L17', `rollout 1 is released ${afterMs} ms after its Deployment was created`);
}

function isWaiting({ type, object }: Entry): boolean {
  const { gated, labelled, rollout } = gateStateOf(object as unknown as Deployment);
  return type === 'Upsert' && gated && labelled && rollout === 1;
}

function isReleased({ type, object }: Entry): boolean {
  return type === 'Upsert' && !gateStateOf(object as unknown as Deployment).gated;
}

function hasLifecycle(api: SimApi): boolean {
  return api.peek(deploymentLifecycles).length > 0;
}
