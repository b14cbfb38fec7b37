/** Computes the digest of a pod template, by which templates are compared. */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { sha256 } from '../../platform/digests.ts';

/** The label that the Deployment controller adds to the template of a ReplicaSet. */
const HASH_LABEL = 'pod-template-hash';

/** Digests that were computed before. Templates of cached objects are immutable, and every reconcile compares them. */
const digests = new WeakMap<PodTemplateSpec, string>();

/**
 * Digest (sha256, hex) of the template in canonical form: with sorted fields, without the label of a ReplicaSet's copy,
 * without null and empty lists. Every change that the Deployment controller would roll out must change the digest.
 * Empty objects are therefore kept: a selector `{}` differs from an absent one.
 */
export function templateDigest(template: PodTemplateSpec = {}): string {
  const known = digests.get(template);
  if (known !== undefined) return known;
  const digest = digestOf(template);
  if (Object.isFrozen(template)) digests.set(template, digest);
  return digest;
}

function digestOf({ metadata, ...rest }: PodTemplateSpec): string {
  const { [HASH_LABEL]: _, ...labels } = metadata?.labels ?? {};
  const { annotations = {} } = metadata ?? {};
  const text = JSON.stringify(
    canonical({ ...rest, metadata: { ...metadata, labels, annotations } }),
  );
  return sha256(text);
}

/** Digest (sha256, hex) of any API value in canonical form. */
export function canonicalDigest(value: unknown): string {
  return sha256(JSON.stringify(canonical(value) ?? null));
}

/** The value in the form that is hashed. undefined: the value is empty, and JSON omits it. */
function canonical(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((item) => canonical(item) ?? null);
  }
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => [name, canonical(part)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
