/**
 * Reads and fills JSON objects by field names. Readers never fail: absent, null, or another type reads as empty. The
 * `fill` functions change the given object, which is always the caller's own copy.
 */
import type { Json, JsonObject } from './object.ts';

export type Field = Json | undefined;

export function at(value: unknown, ...path: readonly string[]): Field {
  let found = value;
  for (const name of path) {
    if (!isObject(found)) return undefined;
    found = found[name];
  }
  return (found as Json) ?? undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at this path; undefined if absent. For optional structs whose presence has a meaning. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isObject(found) ? found : undefined;
}

/** The object at this path; an empty object if absent. */
export function fieldsAt(value: unknown, ...path: readonly string[]): JsonObject {
  return objectAt(value, ...path) ?? {};
}

export function listAt(value: unknown, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function objectsAt(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  return listAt(value, ...path).filter(isObject);
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function isTrue(value: unknown, ...path: readonly string[]): boolean {
  return at(value, ...path) === true;
}

/** A map such as labels, annotations or data. Only entries whose value is a string are included. */
export function textMapAt(
  value: unknown,
  ...path: readonly string[]
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsAt(value, ...path)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

/**
 * Sets a field that is absent, null or empty. For a plain string or struct: Kubernetes treats an empty string as
 * absent.
 */
export function fill(object: JsonObject, name: string, value: Json): void {
  const found = object[name];
  if (found === undefined || found === null || found === '') object[name] = value;
}

/** Like `fill`, but also replaces a zero. For a plain number: Kubernetes treats zero as absent. */
export function fillNumber(object: JsonObject, name: string, value: number): void {
  if (object[name] === 0) object[name] = value;
  fill(object, name, value);
}

/** The struct in a field, for further filling; created if absent. */
export function fillObject(object: JsonObject, name: string): JsonObject {
  const found = object[name];
  if (isObject(found)) return found;
  const made: JsonObject = {};
  object[name] = made;
  return made;
}
