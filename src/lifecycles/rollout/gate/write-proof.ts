/**
 * Proves that a write to a gated Deployment is ours. The proof is valid only for the write that replaces the given
 * resourceVersion: in the stored object it is worthless, so it need not be removed.
 */
import { hmacSha256, isSameSecret } from '../../../platform/digests.ts';

/** The object that the write replaces. */
export interface ReplacedObject {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Returns the value of the annotation WRITE_PROOF. */
export type ProveWrite = (replaced: ReplacedObject) => string;
export type IsProven = (replaced: ReplacedObject, proof: string | undefined) => boolean;

/** `key`: a secret of this installation, at least 32 bytes. */
export function proveWith(key: string): ProveWrite {
  return ({ uid, resourceVersion }) => hmacSha256(key, `${uid}/${resourceVersion}`);
}

export function isProvenWith(key: string): IsProven {
  const prove = proveWith(key);
  return (replaced, proof) => proof !== undefined && isSameSecret(prove(replaced), proof);
}
