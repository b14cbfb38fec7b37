/**
 * Removes a set of fields from an object.
 *
 * A value that becomes empty is removed from a built-in type, where empty values count as absent. It is kept as empty
 * where any JSON is allowed.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import {
  childOf,
  type FieldSet,
  isEmpty,
  difference,
  EMPTY,
  intersection,
  union,
} from './field-set.ts';
import {
  type FieldsNode,
  fieldType,
  identifyItems,
  isBlank,
  isBuiltIn,
  type ItemsNode,
  rootType,
  shapeOf,
} from './node-shape.ts';
import { fieldElement } from './path-element.ts';
import type { Managers } from './managers.ts';
import { fieldsOf, withNamedFields } from './typed-field-set.ts';

export function removeFields(object: JsonObject, fields: FieldSet, type: TypeNode): JsonObject {
  const left = remove(object, fields, rootType(type));
  return isJsonObject(left) ? left : {};
}

function remove(value: Json, fields: FieldSet, type: TypeNode): Json {
  const shape = shapeOf(type);
  if (shape === 'leaf' || isEmpty(fields)) return value;
  if (shape.kind === 'list') return removeFromItems(value, fields, shape);
  return isJsonObject(value) ? removeFromFields(value, fields, shape) : value;
}

function removeFromFields(object: JsonObject, fields: FieldSet, type: FieldsNode): JsonObject {
  const left = Object.entries(object).flatMap(([name, part]): [string, Json][] => {
    const element = fieldElement(name);
    if (fields.members.has(element)) return [];
    const rest = remove(part, childOf(fields, element), fieldType(type, name));
    const isEmptied = rest !== part && isBlank(rest);
    return isEmptied && isBuiltIn(type) ? [] : [[name, rest]];
  });
  return Object.fromEntries(left);
}

function removeFromItems(value: Json, fields: FieldSet, list: ItemsNode): Json {
  return identifyItems(list, value).flatMap(({ element, item }) => {
    if (fields.members.has(element)) return [];
    return [remove(item, childOf(fields, element), list.items)];
  });
}

interface Pruning {
  readonly merged: JsonObject;
  readonly type: TypeNode;
  /** The fields that the applier owned before. */
  readonly last: FieldSet;
  /** All managers, including the applier with the fields that it owns now. */
  readonly managers: Managers;
}

/**
 * Removes the fields that an applier has given up: it applied them last time but not now, and no other manager owns
 * them. Fields that never had an owner are kept, even below fields that it applied.
 *
 * There are three removals from `merged`, and the third one gives the result. The first two only determine which fields
 * the third one removes.
 */
export function prune({ merged, type, last, managers }: Pruning): JsonObject {
  if (isEmpty(last)) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, type);
  const all = named(fieldsOf(merged, type));
  const owned = [...managers.values()].reduce((set, { fields }) => union(set, fields), EMPTY);
  const withoutLast = fieldsOf(removeFields(merged, named(last), type), type);
  const givenUp = difference(all, union(named(withoutLast), named(owned)));
  const left = fieldsOf(removeFields(merged, givenUp, type), type);
  return removeFields(merged, intersection(difference(all, named(left)), named(last)), type);
}
