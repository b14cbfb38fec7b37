/**
 * Whether the author of a lifecycle's spec was asked for the right to create pods. The creation is refused while nobody
 * can ask (`failurePolicy: Fail`). A change is stored then all the same, since nothing may stop a finalizer from being
 * removed; so a changed spec carries a proof, and its hooks are not run without it.
 */
import { hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import { hmacSha256, isSameSecret } from '../../../platform/digests.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { AUTHOR_PROOF } from '../names.ts';
import { canonicalDigest } from '../template-digest.ts';

type Authored = Pick<DeploymentLifecycle, 'metadata' | 'spec'>;

/**
 * The value of the annotation AUTHOR_PROOF, for this spec of this very object at this generation: an earlier spec that is
 * put back with its proof has a later one.
 */
export type ProveAuthor = (lifecycle: Authored) => string;
export type IsAuthored = (lifecycle: Authored) => boolean;

/** `key`: secret, of this installation, at least 32 bytes. */
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
