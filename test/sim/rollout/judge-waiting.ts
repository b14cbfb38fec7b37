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

/**
 * Call this only in seeds whose clocks are right, since the creation time is compared with the clock. The wait is
 * counted from the creation: a restore may bring back a Deployment that has waited already.
 */
export function judgeWaiting(world: World, api: SimApi): void {
  /** Simulated times of the creations, keyed by UID. */
  const createdMs = new Map<string, number>();
  const waiting = new Set<string>();
  api.onCommit((entry) => {
    if (entry.resource !== DEPLOYMENTS) return;
    const { uid = '' } = entry.object.metadata;
    const bornMs = createdMs.get(uid) ?? world.elapsedMs;
    createdMs.set(uid, bornMs);
    if (isWaiting(entry)) {
      waiting.add(uid);
      return;
    }
    if (!waiting.delete(uid) || !isReleased(entry) || hasLifecycle(api)) return;
    judgeRelease(world, world.elapsedMs - bornMs);
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
