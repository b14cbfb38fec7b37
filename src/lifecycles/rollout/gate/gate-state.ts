/** The state of a Deployment's gate, from its own annotations. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { GATED, RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';

export interface GateState {
  /** True: the Deployment has the label, so its writes reach the webhook. */
  readonly labelled: boolean;
  /** Number of the newest template; null: the Deployment was never stamped. */
  readonly rollout: number | null;
  /** Number of the template that may run; null: no number was recorded. */
  readonly released: number | null;
  /** True: the newest template may not run yet. */
  readonly gated: boolean;
  /** Number of replicas after the release; null: replicas are not held. */
  readonly wantedReplicas: number | null;
  /**
   * True: gated, and without an active ReplicaSet. A scale-up could then start pods of any revision (ROLL-E8,
   * ROLL-E15).
   */
  readonly held: boolean;
}

/**
 * States that were computed before. Deployments from a cache are immutable, and each reconcile needs their states
 * several times.
 */
const states = new WeakMap<Deployment, GateState>();

export function gateStateOf(deployment: Deployment): GateState {
  const known = states.get(deployment);
  if (known !== undefined) return known;
  const state = read(deployment);
  if (Object.isFrozen(deployment)) states.set(deployment, state);
  return state;
}

function read({ metadata, spec }: Deployment): GateState {
  const annotations = metadata?.annotations ?? {};
  const rollout = countIn(annotations[ROLLOUT]);
  const released = countIn(annotations[RELEASED]);
  const wantedReplicas = countIn(annotations[WANTED_REPLICAS]);
  const gated = rollout !== released;
  return {
    labelled: metadata?.labels?.[GATED] !== undefined,
    rollout,
    released,
    gated,
    wantedReplicas,
    held: gated && (wantedReplicas !== null || spec?.replicas === 0),
  };
}

/** Parses a replica count, a non-negative int32; null: the text is not a count. */
export function countIn(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0|[1-9]\d{0,9})$/u.test(text)) return null;
  const count = Number(text);
  return count <= HIGHEST ? count : null;
}

const HIGHEST = 2_147_483_647;
