/** The directives of a strategic merge patch. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from './json-value.ts';
import { goText, type PatchFailure, patchFailure, PatchRefused } from './patch-result.ts';

/** In an object: its directive (`replace`, `delete`); in a list item: the directive for the item, or for the list. */
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

/** Example: `$setElementOrder/ports` → "ports"; undefined: another key. */
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

/** An object with `$retainKeys` keeps only those keys; the patch must name each key that it sets. */
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
 * A value of the patch without counterpart in the object: without its nulls and directives. Undefined: it was only a
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
