/**
 * Builds the OpenAPI documents of the server: `/openapi/v2`, the index `/openapi/v3`, and one for each group and
 * version.
 *
 * The document of a group and version has a path such as `/openapi/v3/apis/apps/v1`.
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

/** Definitions that every document has: requests and responses contain them, even if no kind refers to them. */
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

/** Builds the index. The URL of a document changes with its content, so that clients can cache a document forever. */
export function openApiV3Index(input: OpenApiInput): JsonObject {
  const paths = groupVersions(input.definitions).map((path): [string, Json] => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${documentHash(path, input)}` },
  ]);
  return { paths: Object.fromEntries(paths) };
}

/**
 * Builds the OpenAPI v3 document of one group and version. `path`: as in the index, such as "api/v1" or "apis/apps/v1".
 * Returns undefined if no such group and version is served.
 */
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

/** Hash of all inputs of a document, in hex. It is in the document's URL and is its ETag. */
export function documentHash(path: string, input: OpenApiInput): string {
  const parts = input.definitions
    .filter((one) => pathOf(one) === path)
    .map(({ group, version, kind, plural, namespaced, verbs, subresources, ...one }) => [
      [group, version, kind, plural, namespaced, [...verbs], { ...subresources }],
      one.custom ? (input.customSchemas.get(schemaKey({ group, version, kind })) ?? null) : null,
    ]);
  // Encoded as ASCII, because the checksum is computed over bytes.
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

/** Moves the schema of each parameter into the parameter itself, as v2 requires. */
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

/** Name of the definition of a custom kind, such as "com.example.stable.v1.CronTab". */
function customName({ group, version, kind }: ResourceDefinition): string {
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

/**
 * Schema of a custom kind with the fields that all objects have. In v2, one that keeps unknown fields at its root lists
 * no other fields.
 */
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

/** Schema fields that v2 does not have. Clients of v2 may fail on them. */
const NOT_IN_V2 = new Set(['nullable', 'anyOf', 'oneOf', 'not', 'default', 'allOf']);

function forV2(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(forV2);
  if (!isJsonObject(schema)) return schema;
  // An object that may have unknown fields gets no list of fields: old clients would refuse the unknown ones.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return anything(schema);
  const kept = Object.entries(schema).filter(([name]) => !NOT_IN_V2.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'properties' ? eachForV2(value) : forV2(value)]),
  );
}

/** Converts each property on its own: a property may have a name such as `default`, which must be kept. */
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
