/** Compares pod templates, and computes the hash that names the ReplicaSet of a template. Pure. */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { Json } from '../../../../../src/kube/object.ts';
import { sameMeaning } from '../../objects/kinds/field-checks.ts';

export const HASH_LABEL = 'pod-template-hash';

/** Ignores the hash label: each ReplicaSet has its own, and it does not change the containers. */
export function sameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return sameMeaning(plain(a), plain(b));
}

export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Cache of comparable templates. It holds only frozen templates, those of cached objects. */
const plains = new WeakMap<PodTemplateSpec, Json>();

function plain(template: PodTemplateSpec): Json {
  const known = plains.get(template);
  if (known !== undefined) return known;
  const made = plainOf(template);
  if (Object.isFrozen(template)) plains.set(template, made);
  return made;
}

/** The comparable form of a template, in which an empty map equals an absent one. */
function plainOf(template: PodTemplateSpec): Json {
  const { metadata = {}, spec } = withoutHash(template);
  const filled = Object.entries(metadata).filter(([, value]) => !isEmptyMap(value));
  return { metadata: Object.fromEntries(filled), spec: spec ?? null } as unknown as Json;
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/**
 * Up to ten characters that are valid in a name, such as "5d59d67564". They have no vowels, so they spell no word. The
 * collision count changes the hash, so that the next attempt gets another name.
 */
export function templateHash(template: PodTemplateSpec, collisions: number | undefined): string {
  const text = canonical(template as Json) + (collisions === undefined ? '' : `#${collisions}`);
  return String(fnv32a(text)).replaceAll(/\d/g, (digit) => SAFE[digit] ?? '');
}

/** Maps digits to characters that spell no word. */
const SAFE: Readonly<Record<string, string>> = {
  0: '4',
  1: '5',
  2: '6',
  3: '7',
  4: '8',
  5: '9',
  6: 'b',
  7: 'c',
  8: 'd',
  9: 'f',
};
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function fnv32a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/**
 * JSON with sorted fields, so that their order does not matter. The decoder has already limited the depth of templates.
 */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => (field as Json | undefined) !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
