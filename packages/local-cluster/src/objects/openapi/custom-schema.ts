/** The schema of a custom resource as documents show it: with the fields that every object has. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { reference, type Dialect } from './builtin-schema.ts';

/** "com.example.stable.v1.CronTab" */
export function customName({ group, version, kind }: ResourceDefinition): string {
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

/** A schema that keeps unknown fields at the root says nothing about its object. */
export function customSchema(
  schema: Json | undefined,
  definition: ResourceDefinition,
  dialect: Dialect,
): JsonObject {
  const { group, version, kind } = definition;
  const own = schema !== undefined && isJsonObject(schema) ? schema : { type: 'object' };
  const shown = dialect === 'v2' ? (forV2(own) as JsonObject) : own;
  const { properties = {}, ...rest } = shown;
  return {
    ...rest,
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: API_VERSION },
      kind: { type: 'string', description: KIND },
      ...(isJsonObject(properties) ? properties : {}),
      metadata: metadataSchema(dialect),
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

export function customListSchema(
  itemName: string,
  { group, version, listKind }: ResourceDefinition,
  dialect: Dialect,
): JsonObject {
  const root = dialect === 'v2' ? '#/definitions/' : '#/components/schemas/';
  const metadata = reference('meta.v1.ListMeta', dialect);
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string', description: API_VERSION },
      items: { type: 'array', items: { $ref: `${root}${itemName}` } },
      kind: { type: 'string', description: KIND },
      metadata: dialect === 'v2' ? metadata : { allOf: [metadata] },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  };
}

const API_VERSION = 'The versioned schema of this representation of an object.';
const KIND = 'The kind of resource that this object represents.';

function metadataSchema(dialect: Dialect): JsonObject {
  const metadata = reference('meta.v1.ObjectMeta', dialect);
  return dialect === 'v2' ? metadata : { allOf: [metadata] };
}

/** What v2 has no words for; readers of it would trip over them. */
const NOT_IN_V2 = new Set(['nullable', 'anyOf', 'oneOf', 'not', 'default', 'allOf']);

function forV2(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(forV2);
  if (!isJsonObject(schema)) return schema;
  // What may hold anything is described as nothing: old readers would refuse what they don't know.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return anything(schema);
  const kept = Object.entries(schema).filter(([name]) => !NOT_IN_V2.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'properties' ? eachForV2(value) : forV2(value)]),
  );
}

/** A property may be called `default`. */
function eachForV2(properties: Json): Json {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, forV2(one)]));
}

function anything({ description }: JsonObject): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    'x-kubernetes-preserve-unknown-fields': true,
  };
}
