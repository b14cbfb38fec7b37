/**
 * The OpenAPI documents of the server: `/openapi/v2`, the index `/openapi/v3`, and one for each group and version
 * below it (`/openapi/v3/apis/apps/v1`).
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { crc32 } from '../../../../../src/store/journal-line.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { builtinName } from '../table/builtin-type.ts';
import {
  builtinSchemas,
  type Dialect,
  schemaKey,
  type OpenApiInput,
  reference,
} from './builtin-schema.ts';
import { basePath, resourcePaths } from './operations.ts';

/** Definitions that the group's own kinds do not refer to, but its requests and answers contain. */
const ALWAYS = [
  'meta.v1.DeleteOptions',
  'meta.v1.ListMeta',
  'meta.v1.ObjectMeta',
  'meta.v1.Status',
  'meta.v1.APIResourceList',
];
const SCALE = 'autoscaling.v1.Scale';

export function openApiV2(input: OpenApiInput): JsonObject {
  const { definitions } = input;
  return {
    swagger: '2.0',
    info: infoOf(input),
    paths: swaggerPaths(definitions),
    definitions: schemasOf(definitions, 'v2', input),
    securityDefinitions: {
      BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

/** The addresses differ for different inputs, so that clients can cache each document forever. */
export function openApiV3Index(input: OpenApiInput): JsonObject {
  const paths = groupVersions(input.definitions).map((path): [string, Json] => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${documentHash(path, input)}` },
  ]);
  return { paths: Object.fromEntries(paths) };
}

/** `path` as in the index: "api/v1", "apis/apps/v1". Undefined: no such group and version. */
export function openApiV3(path: string, input: OpenApiInput): JsonObject | undefined {
  const definitions = input.definitions.filter((one) => pathOf(one) === path);
  if (definitions.length === 0) return undefined;
  return {
    openapi: '3.0.0',
    info: infoOf(input),
    paths: Object.fromEntries(definitions.flatMap((one) => Object.entries(resourcePaths(one)))),
    components: {
      schemas: schemasOf(definitions, 'v3', input),
      securitySchemes: {
        BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' },
      },
    },
    security: [{ BearerToken: [] }],
  };
}

/** The hash of all inputs of a document; also its ETag. */
export function documentHash(path: string, input: OpenApiInput): string {
  const parts = input.definitions
    .filter((one) => pathOf(one) === path)
    .map(({ group, version, kind, plural, namespaced, verbs, subresources, ...one }) => [
      [group, version, kind, plural, namespaced, [...verbs], { ...subresources }],
      one.custom ? (input.customSchemas.get(schemaKey({ group, version, kind })) ?? null) : null,
    ]);
  // The checksum is over bytes.
  const bytes = encodeURIComponent(JSON.stringify([input.serverVersion, parts]));
  return crc32(bytes).toString(16).toUpperCase().padStart(8, '0');
}

function pathOf(definition: ResourceDefinition): string {
  return basePath(definition).slice(1);
}

function groupVersions(definitions: readonly ResourceDefinition[]): string[] {
  return [...new Set(definitions.map(pathOf))].toSorted();
}

function infoOf({ serverVersion }: OpenApiInput): JsonObject {
  return { title: 'Kubernetes', version: serverVersion };
}

function schemasOf(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
  { docs, customSchemas }: OpenApiInput,
): JsonObject {
  const builtin = definitions.filter(({ custom }) => !custom);
  const names = builtin.flatMap(({ group, version, kind, listKind }) => [
    builtinName(group, version, kind) ?? [],
    builtinName(group, version, listKind) ?? [],
  ]);
  const scaled = definitions.some(({ subresources }) => subresources.scale !== null);
  const all = [...names.flat(), ...ALWAYS, ...(scaled ? [SCALE] : [])];
  const custom = definitions
    .filter((one) => one.custom)
    .flatMap((one): [string, Json][] => {
      const name = customName(one);
      return [
        [name, customSchema(customSchemas.get(schemaKey(one)), one, dialect)],
        [`${name}List`, customListSchema(name, one, dialect)],
      ];
    });
  return { ...builtinSchemas([...new Set(all)], dialect, docs), ...Object.fromEntries(custom) };
}

/** In v2 a parameter is its own schema. */
function swaggerPaths(definitions: readonly ResourceDefinition[]): JsonObject {
  const flat = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(flat);
    if (!isJsonObject(value)) return value;
    const { schema, ...rest } = value;
    const own = schema !== undefined && isJsonObject(schema) ? { ...rest, ...schema } : value;
    return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, flat(one)]));
  };
  const paths = definitions.flatMap((one) => Object.entries(resourcePaths(one)));
  return flat(Object.fromEntries(paths)) as JsonObject;
}

/** The schema of a custom resource in documents: with the fields of every object. */

/** Example: "com.example.stable.v1.CronTab" */
function customName({ group, version, kind }: ResourceDefinition): string {
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

/** A schema that keeps unknown fields at the root describes no fields. */
function customSchema(
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

function customListSchema(
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

/** Fields that v2 does not have; clients of v2 may fail on them. */
const NOT_IN_V2 = new Set(['nullable', 'anyOf', 'oneOf', 'not', 'default', 'allOf']);

function forV2(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(forV2);
  if (!isJsonObject(schema)) return schema;
  // An object with unknown fields has no description of its fields: old clients would refuse unknown fields.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return anything(schema);
  const kept = Object.entries(schema).filter(([name]) => !NOT_IN_V2.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'properties' ? eachForV2(value) : forV2(value)]),
  );
}

/** A property may have the name `default`. */
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
