/**
 * Applies a strategic merge patch, which uses the type of each field.
 *
 * Objects merge, and null deletes a field. Lists with a merge strategy merge item by item, by their merge key; other
 * lists are replaced. Directives (`$patch` and the like) express what a plain patch cannot.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { ListNode, TypeNode } from '../type-node.ts';
import {
  fieldToDeleteFrom,
  freshValue,
  isDirective,
  orderedField,
  PATCH,
  refuse,
  refuseUnknown,
  retainKeys,
} from './directives.ts';
import { isJsonObject, isTooDeep, ownField } from './json-value.ts';
import {
  cannotUnmarshal,
  goType,
  patchFailure,
  type PatchResult,
  resultOf,
} from './patch-result.ts';
import { mergeInOrder, mergeList } from './strategic-list.ts';

export interface StrategicMerge {
  readonly document: JsonObject;
  readonly patch: Json;
  readonly type: TypeNode;
}

export function applyStrategicMerge({ document, patch, type }: StrategicMerge): PatchResult {
  // Types of custom resources have no merge keys, so a real server does not support strategic merge for them.
  if (type.kind !== 'struct' || type.typeName === '') {
    return patchFailure(
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  }
  if (patch === null) return { kind: 'patched', object: document };
  if (!isJsonObject(patch)) {
    return patchFailure(400, cannotUnmarshal(patch, 'map[string]interface {}'));
  }
  if (isTooDeep(patch)) return patchFailure(400, 'exceeded max depth');
  return resultOf(() => mergeObject(document, patch, type));
}

/** Merges a patch into an object. `type`: undefined if it is unknown, as within a field with any JSON. */
export function mergeObject(
  original: JsonObject,
  patch: JsonObject,
  type: TypeNode | undefined,
): JsonObject {
  const directive = ownField(patch, PATCH);
  if (directive !== undefined) return followDirective(directive, patch);
  const retained = retainKeys(original, patch);
  const merged = new Map(Object.entries(retained));
  const ordered = mergeOrderedLists(retained, patch, type);
  for (const [name, list] of ordered) merged.set(name, list);
  for (const [key, value] of Object.entries(patch)) {
    const listed = fieldToDeleteFrom(key);
    if (listed === undefined && (isDirective(key) || ordered.has(key))) continue;
    const name = listed ?? key;
    const field = { original: merged.get(name), patch: value, type: () => fieldType(type, name) };
    const result = listed === undefined ? mergeField(field) : deleteItems(field);
    if (result === undefined) merged.delete(name);
    else merged.set(name, result);
  }
  return Object.fromEntries(merged);
}

interface Field {
  readonly original: Json | undefined;
  readonly patch: Json;
  /** Called only if two objects or two lists merge. It throws if the type does not have the field. */
  readonly type: () => TypeNode | undefined;
}

function followDirective(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') return refuseUnknown(directive, patch);
  return Object.fromEntries(Object.entries(patch).filter(([key]) => key !== PATCH));
}

/** Merges the lists for which the patch sets an order, with the patch's own items if it has any. */
function mergeOrderedLists(
  original: JsonObject,
  patch: JsonObject,
  type: TypeNode | undefined,
): Map<string, Json[]> {
  const merged = new Map<string, Json[]>();
  for (const [key, order] of Object.entries(patch)) {
    const name = orderedField(key);
    if (name === undefined) continue;
    const list = mergeInOrder({
      original: listOrNothing(ownField(original, name)),
      patch: listOrNothing(ownField(patch, name)),
      order: listOrNothing(order) ?? [],
      type: listType(fieldType(type, name)),
      mergeItem: mergeObject,
    });
    if (list !== undefined) merged.set(name, list);
  }
  return merged;
}

function listOrNothing(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  return refuse(500, `expected a []interface {}, but received a ${goType(value)}`);
}

function mergeField({ original, patch, type }: Field): Json | undefined {
  if (patch === null) return undefined;
  if (isJsonObject(original) && isJsonObject(patch)) return mergeObject(original, patch, type());
  if (Array.isArray(original) && Array.isArray(patch)) {
    const list = listType(type());
    if (list?.patchStrategy !== 'merge') return patch;
    return mergeList({ original, patch, type: list, mergeItem: mergeObject });
  }
  return freshValue(patch);
}

function deleteItems({ original, patch }: Field): Json | undefined {
  if (patch === null) return undefined;
  if (!Array.isArray(original) || !Array.isArray(patch)) return original;
  return original.filter((item) => !patch.includes(item));
}

function fieldType(type: TypeNode | undefined, name: string): TypeNode | undefined {
  if (type?.kind === 'map') return type.values;
  if (type?.kind !== 'struct') return undefined;
  const field = type.field(name);
  if (field !== undefined || type.preserveUnknown) return field;
  return refuse(
    500,
    `unable to find api field in struct ${type.typeName} for the json field "${name}"`,
  );
}

function listType(type: TypeNode | undefined): ListNode | undefined {
  return type?.kind === 'list' ? type : undefined;
}
