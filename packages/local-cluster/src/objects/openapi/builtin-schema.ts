/** Converts definitions of built-in types to OpenAPI schemas, in the dialects v2 (Swagger) and v3. */
import { type JsonObject, type Json, apiVersionOf } from '../../../../../src/kube/object.ts';
import type { DefinitionRow } from '../table/builtin-rows.ts';
import { definitionRow } from '../table/builtin-type.ts';
import { parseFieldWords, type FieldWords } from '../table/field-words.ts';
import type { ResourceDefinition } from '../resource-definition.ts';

export type Dialect = 'v2' | 'v3';

/** Schemas of the named definitions (such as "core.v1.Pod") and of all definitions that they refer to. */
export function builtinSchemas(
  names: readonly string[],
  dialect: Dialect,
  docs: Docs,
): Record<string, JsonObject> {
  const open = [...names];
  const seen = new Set(names);
  const schemas = new Map<string, JsonObject>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const row = definitionRow(name);
    if (row === undefined) {
      schemas.set(fullName(name), VALUE_SCHEMAS[dialect][name] ?? {});
      continue;
    }
    schemas.set(fullName(name), structSchema(name, row, { dialect, docs }));
    for (const inner of namesIn(row).filter((one) => !seen.has(one))) {
      seen.add(inner);
      open.push(inner);
    }
  }
  return Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function reference(shortName: string, dialect: Dialect): JsonObject {
  const root = dialect === 'v2' ? '#/definitions/' : '#/components/schemas/';
  return { $ref: `${root}${fullName(shortName)}` };
}

/** The full name of a definition: "io.k8s.api.core.v1.Pod" for "core.v1.Pod". */
export function fullName(shortName: string): string {
  const group = shortName.slice(0, shortName.indexOf('.'));
  return `${PACKAGES[group] ?? 'io.k8s.api'}.${shortName}`;
}

const PACKAGES: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis',
  api: 'io.k8s.apimachinery.pkg',
  util: 'io.k8s.apimachinery.pkg',
  runtime: 'io.k8s.apimachinery.pkg',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis',
};

/** Scalars whose schema has a name of its own in OpenAPI documents. */
const NAMED_SCALARS: Readonly<Record<string, string>> = {
  quantity: 'api.resource.Quantity',
  intOrString: 'util.intstr.IntOrString',
  time: 'meta.v1.Time',
  microTime: 'meta.v1.MicroTime',
};

const TIME: JsonObject = { type: 'string', format: 'date-time' };
const QUANTITY = 'A number with an optional unit: 500m, 1Gi, 12e6.';
const INT_OR_STRING = 'A number, or a text such as a percentage.';

const VALUE_SCHEMAS: Readonly<Record<Dialect, Readonly<Record<string, JsonObject>>>> = {
  v2: {
    'api.resource.Quantity': { description: QUANTITY, type: 'string' },
    'util.intstr.IntOrString': {
      description: INT_OR_STRING,
      type: 'string',
      format: 'int-or-string',
    },
    'meta.v1.Time': TIME,
    'meta.v1.MicroTime': TIME,
  },
  v3: {
    'api.resource.Quantity': {
      description: QUANTITY,
      oneOf: [{ type: 'string' }, { type: 'number' }],
    },
    'util.intstr.IntOrString': {
      description: INT_OR_STRING,
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    },
    'meta.v1.Time': TIME,
    'meta.v1.MicroTime': TIME,
  },
};

const PLAIN: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  any: { type: 'object' },
};

function namesIn({ fields }: DefinitionRow): string[] {
  return Object.values(fields).flatMap((words) => {
    const name = parseFieldWords(words).type.replace(/^(\[\]|\{\})+/, '');
    if (name.includes('.')) return [name];
    return NAMED_SCALARS[name] ?? [];
  });
}

interface Style {
  readonly dialect: Dialect;
  readonly docs: Docs;
}

function structSchema(name: string, row: DefinitionRow, { dialect, docs }: Style): JsonObject {
  const doc = docs[name];
  const properties = Object.entries(row.fields).map(([field, text]) => [
    field,
    fieldSchema(parseFieldWords(text), {
      dialect,
      description: doc?.fields?.[field],
      values: doc?.enums?.[field],
    }),
  ]);
  return {
    ...(doc?.text === undefined ? {} : { description: doc.text }),
    type: 'object',
    ...(row.required === undefined ? {} : { required: [...row.required] }),
    ...(properties.length === 0
      ? {}
      : { properties: Object.fromEntries(properties) as JsonObject }),
    ...(row.atomic === true ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(row.kind === undefined ? {} : { 'x-kubernetes-group-version-kind': [gvkOf(row.kind)] }),
  };
}

/** Group, version and kind of a text such as "apps/v1/Deployment". */
function gvkOf(kind: string): JsonObject {
  const [name = '', version = '', group = ''] = kind.split('/').toReversed();
  return { group, version, kind: name };
}

interface FieldDoc {
  readonly dialect: Dialect;
  readonly description: string | undefined;
  readonly values: readonly string[] | undefined;
}

function fieldSchema(words: FieldWords, { dialect, description, values }: FieldDoc): JsonObject {
  const type = typeSchema(words.type, dialect);
  return {
    ...(description === undefined || description === '' ? {} : { description }),
    // In v3 a reference must not have other fields next to it, so `allOf` contains it.
    ...('$ref' in type && dialect === 'v3' ? { allOf: [type] } : type),
    ...(values === undefined ? {} : { enum: [...values] }),
    ...extensions(words),
  };
}

function typeSchema(type: string, dialect: Dialect): JsonObject {
  if (type.startsWith('[]')) return { type: 'array', items: typeSchema(type.slice(2), dialect) };
  if (type.startsWith('{}')) {
    return { type: 'object', additionalProperties: typeSchema(type.slice(2), dialect) };
  }
  const named = NAMED_SCALARS[type] ?? type;
  return PLAIN[type] ?? reference(named, dialect);
}

function extensions(words: FieldWords): JsonObject {
  const { type, listType, mapKeys, mergeKey, retainKeys, atomic } = words;
  const strategies = [
    ...(mergeKey === null ? [] : ['merge']),
    ...(retainKeys ? ['retainKeys'] : []),
  ];
  return {
    ...(type.startsWith('[]') ? { 'x-kubernetes-list-type': listType } : {}),
    ...(mapKeys.length === 0 ? {} : { 'x-kubernetes-list-map-keys': [...mapKeys] }),
    ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(strategies.length === 0 ? {} : { 'x-kubernetes-patch-strategy': strategies.join(',') }),
    ...(mergeKey === null || mergeKey === '' ? {} : { 'x-kubernetes-patch-merge-key': mergeKey }),
  };
}

export interface OpenApiInput {
  /** Definitions of all served resources, one for each version. */
  readonly definitions: readonly ResourceDefinition[];
  /** The `openAPIV3Schema` of custom resources, by `schemaKey`. */
  readonly customSchemas: ReadonlyMap<string, Json>;
  readonly docs: Docs;
  /** Version of the API server, such as "v1.37.2". */
  readonly serverVersion: string;
}

/** Descriptions, by the short name of a definition. */
export type Docs = Readonly<
  Record<
    string,
    {
      readonly text?: string;
      readonly fields?: Readonly<Record<string, string>>;
      /** Allowed values by field name. */
      readonly enums?: Readonly<Record<string, readonly string[]>>;
    }
  >
>;

export function schemaKey(
  definition: Pick<ResourceDefinition, 'group' | 'version' | 'kind'>,
): string {
  return `${apiVersionOf(definition)}/${definition.kind}`;
}

/** Loads the descriptions. They are large, and only OpenAPI documents contain them. */
export async function loadDocs(): Promise<Docs> {
  return (await import('./builtin-docs.ts')).builtinDocs;
}
