/** What a Deployment's own annotations say of its gate. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { GATED, RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';

export interface GateState {
  /** The label is there: writes come to the webhook. */
  readonly labelled: boolean;
  /** Of the newest template; null: it was never stamped. */
  readonly rollout: number | null;
  /** Whose template may run; null: nobody has said. */
  readonly released: number | null;
  /** The newest template may not run yet. */
  readonly gated: boolean;
  /** Present while replicas are held. */
  readonly wantedReplicas: number | null;
  /** Gated and without an active ReplicaSet: whatever was scaled up now would be of any revision (ROLL-E8, ROLL-E15). */
  readonly held: boolean;
}

/** Of Deployments that never change again: those of a cache, of which every pass asks several times. */
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

/** As Kubernetes counts: an int32 that is not negative. Anything else is none. */
export function countIn(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0|[1-9]\d{0,9})$/u.test(text)) return null;
  const count = Number(text);
  return count <= HIGHEST ? count : null;
}

const HIGHEST = 2_147_483_647;
