/** When two pod templates are the same, and a name for that. */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { sha256 } from '../../platform/digests.ts';

/** What the Deployment controller adds to the template of a ReplicaSet. */
const HASH_LABEL = 'pod-template-hash';

/** Of templates that never change again: those of objects in a cache, which every reconcile compares. */
const digests = new WeakMap<PodTemplateSpec, string>();

/**
 * sha256, hex, of the template in canonical form: sorted fields, without the label that a ReplicaSet's copy
 * has, and without null and empty lists. An empty object stays: a selector `{}` is another one than none, and
 * whatever the Deployment controller would roll out has to differ here.
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

/** sha256, hex, of any value of the API in canonical form. */
export function canonicalDigest(value: unknown): string {
  return sha256(JSON.stringify(canonical(value) ?? null));
}

/** undefined: it says nothing, and JSON leaves it out. */
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
