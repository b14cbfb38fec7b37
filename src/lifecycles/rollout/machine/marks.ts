import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { countIn, gateStateOf } from '../gate/gate-state.ts';
import { ABORT, RETRY, WANTED_REPLICAS } from '../names.ts';
import { replicasOf } from './parts.ts';

/** Lifehook's label and annotations on a Deployment. An invalid count is read as absent. */
export interface Marks {
  readonly labelled: boolean;
  /** Number of the newest template; null: the Deployment was never stamped. */
  readonly number: number | null;
  /** Number of the template that may run; 0: no template may run. */
  readonly released: number;
  /** Number of replicas after the release, while the replicas are held at 0; null: they are not held. */
  readonly wanted: number | null;
  /** Numbers that a user requests to retry or to abort; null: none. */
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
 * The number of replicas after the hold; null: no replicas are held. While the webhook is down, Kubernetes admits a
 * scale request, and its count is newer than the wanted count (ROLL-L16).
 */
export function replicasAfterHold(deployment: Deployment): number | null {
  const { wanted } = marksOf(deployment);
  return wanted === null || replicasOf(deployment) === 0 ? wanted : replicasOf(deployment);
}

/**
 * The annotation for a new number that gates a Deployment with 0 replicas: while gated, it must not be scaled up
 * (ROLL-E15). A wanted count that exists is kept (ROLL-C17). Empty if the Deployment has replicas.
 */
export function holdAtZero(deployment: Deployment): Readonly<Record<string, string>> {
  if (replicasOf(deployment) > 0) return {};
  return { [WANTED_REPLICAS]: String(marksOf(deployment).wanted ?? 0) };
}

/** True: the lifecycle was deleted before any release. The Deployment stays paused until a user resumes it. */
export function isLeftHeld(deployment: Deployment): boolean {
  const { rollout, released } = gateStateOf(deployment);
  return rollout !== null && released === null;
}
