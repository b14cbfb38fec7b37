/**
 * JSON merge patch (RFC 7386) as the API server applies it: an object's fields merge, null deletes a field,
 * anything else replaces. Two habits of the real server differ from the RFC: nulls are also dropped from
 * objects within a new list, and a list in place of a patch is refused for what it would make.
 */
import type { Json, JsonObject } from '../../../kube/object.ts';
import { isJsonObject, isTooDeep, ownField } from './json-value.ts';
import { type PatchFailure, patchFailure, type PatchResult } from './patch-result.ts';

export function applyMergePatch(document: JsonObject, patch: Json): PatchResult {
  if (isTooDeep(patch)) return patchFailure(400, 'Invalid JSON Patch');
  if (Array.isArray(patch)) return refuseList(patch);
  if (!isJsonObject(patch)) return patchFailure(400, 'Invalid JSON Patch');
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
    // A list over an object is taken as it is; in any other place it is cleared of its nulls.
    return isJsonObject(target) ? patch : withoutNulls(patch);
  }
  return mergeObject(isJsonObject(target) ? target : {}, patch);
}

/** Fields that are null go; a list's own nulls stay, since they hold a place. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isJsonObject(value) ? mergeObject({}, value) : value;
}

/** The real server merges first and finds out when it decodes what came of it. */
function refuseList(patch: readonly Json[]): PatchFailure {
  const received = JSON.stringify(JSON.stringify(patch.map(withoutNulls)));
  return patchFailure(
    422,
    ` "" is invalid: patch: Invalid value: ${received}: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}
