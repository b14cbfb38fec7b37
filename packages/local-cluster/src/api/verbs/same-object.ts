/** Whether a write would change anything. When managers differ only in the time, it would not. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { fieldsAt, isObject, objectsAt } from '../../../../../src/kube/fields.ts';
import { withMeta } from '../object-meta.ts';

export function sameObject(a: JsonObject, b: JsonObject): boolean {
  return sameValue(comparable(a), comparable(b));
}

function comparable(object: JsonObject): JsonObject {
  const managers = objectsAt(object, 'metadata', 'managedFields');
  const timeless = managers.map(({ time: _time, ...manager }) => manager);
  const managedFields = 'managedFields' in fieldsAt(object, 'metadata') ? timeless : undefined;
  return withMeta(object, { resourceVersion: undefined, managedFields });
}

/** The order of keys does not count. Depth is bounded by the decoder of objects. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return isObject(a) && isObject(b) && sameFields(a, b);
}

function sameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => name in b && sameValue(a[name], b[name]));
}
