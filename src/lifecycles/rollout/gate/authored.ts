/**
 * Whether the author of a lifecycle's spec was checked for the right to create pods. While the webhook cannot check, a
 * creation is refused (`failurePolicy: Fail`), but an update is stored, since nothing may block the removal of a
 * finalizer. So a changed spec carries a proof, and its hooks do not run without it.
 */
import { hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import { hmacSha256, isSameSecret } from '../../../platform/digests.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { AUTHOR_PROOF } from '../names.ts';
import { canonicalDigest } from '../template-digest.ts';

type Authored = Pick<DeploymentLifecycle, 'metadata' | 'spec'>;

/**
 * Returns the value of the annotation AUTHOR_PROOF, valid for this spec of this object at this generation: an earlier
 * spec that is restored with its old proof has a later generation.
 */
export type ProveAuthor = (lifecycle: Authored) => string;
export type IsAuthored = (lifecycle: Authored) => boolean;

/** `key`: a secret of this installation, at least 32 bytes. */
export function proveAuthorWith(key: string): ProveAuthor {
  return ({ metadata, spec }) => {
    const { uid = '', generation = 0 } = metadata ?? {};
    return hmacSha256(key, `author/${uid}/${generation}/${canonicalDigest(spec)}`);
  };
}

export function isAuthoredWith(key: string): IsAuthored {
  const prove = proveAuthorWith(key);
  return (lifecycle) =>
    hasFirstSpec(lifecycle) || isSameSecret(prove(lifecycle), proofIn(lifecycle));
}

export function proofIn({ metadata }: Authored): string {
  return metadata?.annotations?.[AUTHOR_PROOF] ?? '';
}
