/** Builds the type of a custom resource from its schema, for patches, field ownership and decoding. */
import type { Json } from '../../../../../src/kube/object.ts';
import { SCALARS } from '../table/field-words.ts';
import { namedType } from '../table/builtin-type.ts';
import type { ListNode, StructNode, TypeNode } from '../type-node.ts';
import { additionalSchema, type Schema } from './schema.ts';

const ANY: TypeNode = { kind: 'any' };

/** The type of the whole object, with the apiVersion, kind and metadata of every object. */
export function rootType(schema: Schema): StructNode {
  return structType(schema, true);
}

export function schemaType(schema: Schema): TypeNode {
  if (schema.intOrString) return SCALARS.intOrString;
  switch (schema.type) {
    case 'array':
      return listType(schema);
    case 'string':
      return SCALARS.string;
    case 'boolean':
      return SCALARS.boolean;
    case 'number':
      return SCALARS.number;
    case 'integer':
      return schema.format === 'int32' ? SCALARS.int32 : SCALARS.int64;
    default:
      return objectType(schema);
  }
}

function objectType(schema: Schema): TypeNode {
  const known = schema.properties.size > 0 || schema.embedded;
  if (!known && schema.additional !== null && schema.additional !== false) {
    const values = additionalSchema(schema);
    const atomic = schema.mapType === 'atomic';
    return { kind: 'map', values: values === null ? NOTHING : schemaType(values), atomic };
  }
  if (!known && schema.type === '') return ANY;
  return structType(schema, schema.embedded);
}

function structType(schema: Schema, withMeta: boolean): StructNode {
  const fields = new Map<string, TypeNode>(
    [...schema.properties].map(([name, one]) => [name, schemaType(one)]),
  );
  if (withMeta) {
    fields.set('apiVersion', SCALARS.string);
    fields.set('kind', SCALARS.string);
    fields.set('metadata', namedType('meta.v1.ObjectMeta') ?? ANY);
  }
  return {
    kind: 'struct',
    typeName: '',
    field: (name) => fields.get(name),
    fieldNames: [...fields.keys()],
    preserveUnknown: schema.preserveUnknown === true || schema.additional === true,
    atomic: schema.mapType === 'atomic',
    retainKeys: false,
  };
}

/** Type of the values under `additionalProperties: true`: scalars and lists are kept; objects have no known fields. */
const NOTHING: StructNode = {
  kind: 'struct',
  typeName: '',
  field: () => undefined,
  fieldNames: [],
  preserveUnknown: false,
  atomic: false,
  retainKeys: false,
};

function listType(schema: Schema): ListNode {
  const { items, mapKeys } = schema;
  const defaults = mapKeys.flatMap((key) => {
    const value = items?.properties.get(key)?.default;
    return isScalar(value) ? [[key, value] as const] : [];
  });
  return {
    kind: 'list',
    items: items === null ? ANY : schemaType(items),
    listType: schema.listType === 'set' || schema.listType === 'map' ? schema.listType : 'atomic',
    mapKeys: schema.listType === 'map' ? mapKeys : [],
    ...(defaults.length === 0 ? {} : { keyDefaults: Object.fromEntries(defaults) }),
    patchStrategy: 'replace',
    mergeKey: null,
  };
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
