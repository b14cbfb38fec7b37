/** How ownership divides a type: as one field, as fields by name, or as items with an identity. */
import type { Json } from '../../../../../src/kube/object.ts';
import type { ListNode, MapNode, StructNode, TypeNode } from '../type-node.ts';
import { isJsonObject } from '../patch/json-value.ts';

/**
 * For unknown types (a custom resource without a schema, an unknown field that its schema keeps): objects are owned
 * field by field, everything else as a whole.
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

/** The type of a whole object: one that accepts any JSON is still owned field by field. */
export function rootType(type: TypeNode): TypeNode {
  return type.kind === 'any' ? UNTYPED : type;
}

/** A field that the type does not know is owned as a whole. */
export function fieldType(type: FieldsNode, name: string): TypeNode {
  if (type.kind === 'map') return type.values;
  return type.field(name) ?? (type.preserveUnknown ? UNTYPED : { kind: 'any' });
}

/** A field of a struct, not a key of a map: it exists by its type, and needs no owner. */
export function isNamedField(type: FieldsNode, name: string): boolean {
  return type.kind === 'struct' && type.field(name) !== undefined;
}

/** In a built-in type, a value that is null or was emptied is absent. */
export function isBuiltIn(type: FieldsNode): boolean {
  return type.kind === 'struct' && type.typeName !== '';
}

export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
