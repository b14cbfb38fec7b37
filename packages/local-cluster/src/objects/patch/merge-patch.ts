/**
 * Applies a JSON merge patch (RFC 7386) as the API server does.
 *
 * Fields of objects merge, null deletes a field, and any other value replaces. The server deviates from the RFC in one
 * point: it also drops nulls from objects in a new list.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, isTooDeep, ownField } from './json-value.ts';
import { cannotUnmarshal, patchFailure, type PatchResult } from './patch-result.ts';

const GO_MAP = 'map[string]interface {}';

export function applyMergePatch(document: JsonObject, patch: Json): PatchResult {
  if (patch === null || isTooDeep(patch)) return patchFailure(400, 'Invalid JSON Patch');
  if (!isJsonObject(patch)) {
    return patchFailure(400, `error decoding patch: ${cannotUnmarshal(patch, GO_MAP)}`);
  }
  return { kind: 'patched', object: mergeObject(document, patch) };
}

function mergeObject(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergeValue(ownField(target, name), value));
  }
  return Object.fromEntries(merged);
}

function mergeValue(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) {
    // A list that replaces an object keeps its nulls. In all other cases they are removed.
    return isJsonObject(target) ? patch : withoutNulls(patch);
  }
  return mergeObject(isJsonObject(target) ? target : {}, patch);
}

/** Removes null fields. A null in a list is kept, because it occupies an index. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isJsonObject(value) ? mergeObject({}, value) : value;
}
