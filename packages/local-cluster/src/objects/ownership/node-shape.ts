/** Divides types into owned fields: a value is owned as a whole, field by field, or item by item. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { ListNode, MapNode, StructNode, TypeNode } from '../type-node.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import { indexElement, keyElement, type PathElement, valueElement } from './path-element.ts';

/**
 * The type of values without a schema. Objects are owned field by field, everything else as a whole. Such values are in
 * a custom kind without a schema and in unknown fields that a schema keeps.
 */
export const UNTYPED: MapNode = {
  kind: 'map',
  atomic: false,
  get values(): MapNode {
    return UNTYPED;
  },
};

export type Shape = 'leaf' | FieldsNode | ItemsNode;
export type FieldsNode = StructNode | MapNode;
export type ItemsNode = ListNode;

export function shapeOf(type: TypeNode): Shape {
  switch (type.kind) {
    case 'scalar':
    case 'any':
      return 'leaf';
    case 'struct':
    case 'map':
      return type.atomic ? 'leaf' : type;
    case 'list':
      return type.listType === 'atomic' ? 'leaf' : type;
    default:
      return type satisfies never;
  }
}

/** The type of a whole object. Even one that accepts any JSON is owned field by field. */
export function rootType(type: TypeNode): TypeNode {
  return type.kind === 'any' ? UNTYPED : type;
}

/** The type of a field. A field that the type does not know is owned as a whole. */
export function fieldType(type: FieldsNode, name: string): TypeNode {
  if (type.kind === 'map') return type.values;
  return type.field(name) ?? (type.preserveUnknown ? UNTYPED : { kind: 'any' });
}

/** True for a field of a struct, which needs no owner of its own; false for a key of a map. */
export function isNamedField(type: FieldsNode, name: string): boolean {
  return type.kind === 'struct' && type.field(name) !== undefined;
}

/** True for a built-in type, in which a value that is null or was emptied counts as absent. */
export function isBuiltIn(type: FieldsNode): boolean {
  return type.kind === 'struct' && type.typeName !== '';
}

export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

export interface IdentifiedItem {
  readonly element: PathElement;
  readonly item: Json;
}

/**
 * Returns the items with their identities. An item has none only if the type has changed; then its index identifies it.
 */
export function identifyItems(list: ItemsNode, value: Json | undefined): IdentifiedItem[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, index) => {
    const element = itemElement(list, item);
    return { element: typeof element === 'string' ? element : indexElement(index), item };
  });
}

/** Identity of an item, or the reason why it has none. */
export function itemElement(list: ItemsNode, item: Json): PathElement | { problem: string } {
  return list.listType === 'map' ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ItemsNode, item: Json): PathElement | { problem: string } {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) {
    return { problem: 'associative list with keys may not have non-map elements' };
  }
  const key: JsonObject = {};
  for (const name of list.mapKeys) {
    const value = ownField(item, name) ?? list.keyDefaults?.[name];
    if (value !== undefined) key[name] = value;
  }
  if (Object.keys(key).length > 0) return keyElement(key);
  const names = list.mapKeys.map((name) => JSON.stringify(name)).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function setElement(item: Json): PathElement | { problem: string } {
  if (Array.isArray(item)) {
    return { problem: 'not supported: associative list with lists as elements' };
  }
  if (isJsonObject(item)) {
    return { problem: "associative list without keys has an element that's a map type" };
  }
  if (item === null) {
    return { problem: "associative list without keys has an element that's an explicit null" };
  }
  return valueElement(item);
}
