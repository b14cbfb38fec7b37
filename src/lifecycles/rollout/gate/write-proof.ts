/**
 * Proves that a write to a gated Deployment is the controller's (ROLL-G5). The proof is valid only for the write that
 * replaces the given resourceVersion, so it is worthless in the stored object. It also covers the fields of the gate:
 * another webhook that changes the template within that write would otherwise release a template without its hooks.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { hmacSha256, isSameSecret } from '../../../platform/digests.ts';
import { GATED, WRITE_PROOF } from '../names.ts';
import { canonicalDigest, templateDigest } from '../template-digest.ts';
import { gateStateOf } from './gate-state.ts';

export interface OwnWrite {
  /** The stored object that the write replaces. */
  readonly old: Deployment;
  readonly object: Deployment;
}

/** Returns the value of the annotation WRITE_PROOF for a write. */
export type ProveWrite = (write: OwnWrite) => string;
export type IsProven = (write: OwnWrite) => boolean;

/** Makes the function that proves writes. `key`: a secret of this installation, at least 32 bytes. */
export function proveWith(key: string): ProveWrite {
  return ({ old: { metadata }, object }) => {
    const { uid = '', resourceVersion = '' } = metadata ?? {};
    return hmacSha256(key, `${uid}/${resourceVersion}/${gateDigest(object)}`);
  };
}

export function isProvenWith(key: string): IsProven {
  const prove = proveWith(key);
  return (write) => {
    const proof = write.object.metadata?.annotations?.[WRITE_PROOF];
    return proof !== undefined && isSameSecret(prove(write), proof);
  };
}

/**
 * Digest (sha256, hex) of all fields by which a Deployment could start pods past the gate. While the Deployment is not
 * gated, `paused` and the count are the choice of the user. While it is gated, only a count of 0 matters, because 0
 * holds the replicas.
 */
export function gateDigest(deployment: Deployment): string {
  const { metadata, spec } = deployment;
  const { rollout, released, wantedReplicas, gated } = gateStateOf(deployment);
  return canonicalDigest({
    template: templateDigest(spec?.template),
    label: metadata?.labels?.[GATED],
    rollout,
    released,
    wantedReplicas,
    ...(gated ? { paused: spec?.paused === true, isHeld: spec?.replicas === 0 } : {}),
  });
}
