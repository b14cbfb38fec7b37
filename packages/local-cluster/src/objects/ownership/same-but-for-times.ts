import type { JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, jsonEqual } from '../patch/json-value.ts';
import { managedFieldsOf, withoutManagedFields } from './managers.ts';

/**
 * For the writer of an object: a recorded change that defaults or admission revert before the write leaves only
 * different times of its owners. The stored object then stays unchanged.
 */
export function isSameButForTimes(live: JsonObject, next: JsonObject): boolean {
  return (
    jsonEqual(timelessOwners(live), timelessOwners(next)) &&
    jsonEqual(withoutManagedFields(live), withoutManagedFields(next))
  );
}

function timelessOwners(object: JsonObject): JsonObject[] {
  const entries = managedFieldsOf(object);
  if (!Array.isArray(entries)) return [];
  return entries.filter(isJsonObject).map((entry) => ({ ...entry, time: null }));
}
