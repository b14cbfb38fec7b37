/** Sets the metadata that the server decides, equally for all kinds. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { Randomness } from '../../../../src/platform/randomness.ts';
import { fieldsAt, textAt } from '../../../../src/kube/fields.ts';
import { badRequest } from './status.ts';

/** Sets fields of the metadata; removes those that are undefined. */
export function withMeta(
  object: JsonObject,
  fields: Readonly<Record<string, JsonObject[string] | undefined>>,
): JsonObject {
  const metadata = { ...fieldsAt(object, 'metadata') };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) delete metadata[name];
    else metadata[name] = value;
  }
  return { ...object, metadata };
}

/** Removes from a new object the metadata that only the server sets. */
export function withoutSystemFields(object: JsonObject): JsonObject {
  return withMeta(object, {
    creationTimestamp: undefined,
    uid: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

/** Sets the namespace of the request. The object may omit its namespace, but must not contradict. */
export function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const own = textAt(object, 'metadata', 'namespace');
  if (own === namespace) return object;
  if (own !== '' && namespace !== '') {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  return withMeta(object, { namespace: namespace === '' ? undefined : namespace });
}

/** Longer prefixes are truncated, so that a generated name has at most 63 characters and can be a label. */
const MAX_PREFIX = 58;
const SUFFIX_LENGTH = 5;
/** The letters of a generated suffix. Vowels and ambiguous characters are missing, so that a suffix spells no word. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

export function generateName(prefix: string, randomness: Randomness): string {
  const letters = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_LETTERS[randomness.below(SUFFIX_LETTERS.length)],
  );
  return `${prefix.slice(0, MAX_PREFIX)}${letters.join('')}`;
}

/**
 * The part that a write changes: all except the status (main), only the status, or only the resources of containers.
 */
export type ObjectPart = 'main' | 'status' | 'resize';

export function partOf({ subresource }: { readonly subresource: string }): ObjectPart {
  return subresource === 'status' || subresource === 'resize' ? subresource : 'main';
}
