/**
 * The OpenAPI documents of the server: for `/openapi/v2`, for the index `/openapi/v3`, and for each group and
 * version below it (`/openapi/v3/apis/apps/v1`).
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { crc32 } from '../../../../../src/store/crc32.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { builtinName } from '../table/builtin-type.ts';
import { builtinSchemas, type Dialect } from './builtin-schema.ts';
import { customListSchema, customName, customSchema } from './custom-schema.ts';
import { schemaKey, type OpenApiInput } from './input.ts';
import { basePath, resourcePaths } from './operations.ts';

/** What a group's own kinds do not lead to, but its requests and answers hold. */
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

/** `inputs` that differ give other addresses, so that readers can keep each document for good. */
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

/** Of all that a document is made of; also its ETag. */
export function documentHash(path: string, input: OpenApiInput): string {
  const parts = input.definitions
    .filter((one) => pathOf(one) === path)
    .map(({ group, version, kind, plural, namespaced, verbs, subresources, ...one }) => [
      [group, version, kind, plural, namespaced, [...verbs], { ...subresources }],
      one.custom ? (input.customSchemas.get(schemaKey({ group, version, kind })) ?? null) : null,
    ]);
  // The check sum is one of bytes.
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
