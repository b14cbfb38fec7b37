import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { countIn, gateStateOf } from '../gate/gate-state.ts';
import { ABORT, RETRY } from '../names.ts';
import { replicasOf } from './parts.ts';

/** What stands of us on a Deployment, read strictly: what is no count is none. */
export interface Marks {
  readonly labelled: boolean;
  /** Of the newest template; null: it was never stamped. */
  readonly number: number | null;
  /** Whose template may run; 0: none. */
  readonly released: number;
  /** While the replicas are held at 0; null: they are not. */
  readonly wanted: number | null;
  /** What a person asks to be tried again, or to be aborted. */
  readonly retry: number | null;
  readonly abort: number | null;
}

export function marksOf(deployment: Deployment): Marks {
  const { labelled, rollout, released, wantedReplicas } = gateStateOf(deployment);
  const annotations = deployment.metadata?.annotations ?? {};
  return {
    labelled,
    number: rollout,
    released: released ?? 0,
    wanted: wantedReplicas,
    retry: countIn(annotations[RETRY]),
    abort: countIn(annotations[ABORT]),
  };
}

/**
 * How many replicas there are to be when nothing holds them any more; null: nothing does. Kubernetes lets a scale pass
 * while the webhook is down: what it left is newer than the count that is wanted (ROLL-L16).
 */
export function replicasAfterHold(deployment: Deployment): number | null {
  const { wanted } = marksOf(deployment);
  return wanted === null || replicasOf(deployment) === 0 ? wanted : replicasOf(deployment);
}

/** Its lifecycle was deleted before anything was released: it stays paused until it is resumed by hand. */
export function isLeftHeld(deployment: Deployment): boolean {
  const { rollout, released } = gateStateOf(deployment);
  return rollout !== null && released === null;
}
