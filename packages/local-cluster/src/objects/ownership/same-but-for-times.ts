import type { JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, jsonEqual } from '../patch/json-value.ts';
import { managedFieldsOf, withoutManagedFields } from './managers.ts';

/**
 * For whoever stores an object: what was recorded as a change, and was taken back before it was stored (by
 * defaults, by admission), differs in nothing but the times of its owners. Then the object stays as it is.
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
