/** Reads the directives of a strategic merge patch. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from './json-value.ts';
import { goText, type PatchFailure, patchFailure, PatchRefused } from './patch-result.ts';

/**
 * Key of a directive. In an object it applies to the object (`replace`, `delete`); in a list item to the item or to the
 * list.
 */
export const PATCH = '$patch';

const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
const ELEMENT_ORDER = '$setElementOrder';

export function refuse(code: PatchFailure['code'], message: string): never {
  throw new PatchRefused(patchFailure(code, message));
}

export function refuseUnknown(directive: Json, patch: JsonObject): never {
  refuse(500, `unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

/** The field of a key such as `$setElementOrder/ports` ("ports"); undefined for any other key. */
export function orderedField(key: string): string | undefined {
  return fieldOf(key, ELEMENT_ORDER, 'invalid patch format of setElementOrder list');
}

export function fieldToDeleteFrom(key: string): string | undefined {
  return fieldOf(key, DELETE_FROM_LIST, 'invalid patch format of primitive list');
}

function fieldOf(key: string, directive: string, complaint: string): string | undefined {
  if (!key.startsWith(directive)) return undefined;
  return key.startsWith(`${directive}/`) ? key.slice(directive.length + 1) : refuse(400, complaint);
}

/** Removes all keys that `$retainKeys` does not list. The list must have each key that the patch sets. */
export function retainKeys(original: JsonObject, patch: JsonObject): JsonObject {
  const listed = ownField(patch, RETAIN_KEYS);
  if (listed === undefined) return original;
  const complaint = 'invalid patch format of retainKeys';
  if (!Array.isArray(listed)) return refuse(400, complaint);
  const kept = new Set(listed);
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null && !isDirective(key) && !kept.has(key)) refuse(400, complaint);
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.has(key)));
}

export function isDirective(key: string): boolean {
  return key === RETAIN_KEYS || key.startsWith(DELETE_FROM_LIST) || key.startsWith(ELEMENT_ORDER);
}

/**
 * A value of the patch that the object does not have yet, without nulls and directives; undefined if it is only a
 * directive.
 */
export function freshValue(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => freshValue(item) ?? []);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  const fields = Object.entries(value).flatMap(([key, part]): [string, Json][] => {
    const fresh = part === null || isDirective(key) ? undefined : freshValue(part);
    return fresh === undefined ? [] : [[key, fresh]];
  });
  return Object.fromEntries(fields);
}
