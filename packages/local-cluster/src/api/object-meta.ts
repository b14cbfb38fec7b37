/** What the server itself decides about an object's metadata, for all kinds alike. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { Randomness } from '../../../../src/platform/randomness.ts';
import { fieldsAt, textAt } from '../../../../src/kube/fields.ts';
import { badRequest } from './status.ts';

/** Without what is undefined. */
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

/** What a client cannot decide about a new object. */
export function withoutSystemFields(object: JsonObject): JsonObject {
  return withMeta(object, {
    creationTimestamp: undefined,
    uid: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

/** The namespace of the request, which the object may leave out but not contradict. */
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

/** Longer ones are cut, so that what is generated fits a label. */
const MAX_PREFIX = 58;
const SUFFIX_LENGTH = 5;
/** No vowels and nothing that looks like another: no words by accident. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

export function generateName(prefix: string, randomness: Randomness): string {
  const letters = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_LETTERS[randomness.below(SUFFIX_LETTERS.length)],
  );
  return `${prefix.slice(0, MAX_PREFIX)}${letters.join('')}`;
}

/** What of an object a write counts for: all but the status, nothing but the status, or only its resources. */
export type ObjectPart = 'main' | 'status' | 'resize';

export function partOf({ subresource }: { readonly subresource: string }): ObjectPart {
  return subresource === 'status' || subresource === 'resize' ? subresource : 'main';
}
