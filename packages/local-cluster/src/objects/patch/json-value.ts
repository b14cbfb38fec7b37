/**
 * Reading and comparing JSON that came from outside. A key can be anything, `__proto__` and `constructor`
 * too, so fields are read as own ones and written as data, never by plain assignment to a new object.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';

/** Objects and lists within each other. Walks recurse, so what is deeper is refused before one starts. */
export const MAX_DEPTH = 500;

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function ownField(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Of a value that is not too deep. Several times as fast as `structuredClone`. */
export function copyJson<T extends Json>(value: T): T;
export function copyJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item));
  // Its own fields are there before they are assigned: `__proto__` is one like any other.
  const copy = { ...value };
  for (const name of Object.keys(copy)) {
    const field = copy[name];
    if (typeof field === 'object' && field !== null) copy[name] = copyJson(field);
  }
  return copy;
}

/** Goes no deeper than that itself, so it can judge any value. */
export function isTooDeep(value: Json, maxDepth: number = MAX_DEPTH): boolean {
  if (maxDepth < 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  for (const part of Object.values(value)) if (isTooDeep(part, maxDepth - 1)) return true;
  return false;
}

/** The order of an object's fields does not matter. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => jsonEqual(item, right[at]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && jsonEqual(left[name], right[name]))
  );
}
