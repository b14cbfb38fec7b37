/**
 * Compiles the schema of a custom resource: checks that it is structural, and creates the type of the resource. The
 * result also sets defaults and validates objects. Errors have the server's texts.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { re2Compiler } from '../../../../../src/model/re2.ts';
import type { Compile } from '../../../../../src/model/pattern.ts';
import { decodeValue } from '../decode-value.ts';
import { duplicate, type FieldError, forbidden, invalid } from '../field-error.ts';
import type { StructNode } from '../type-node.ts';
import { checkRules } from './check-rules.ts';
import { checkSchema } from './check-schema.ts';
import { checkStructure } from './check-structure.ts';
import type { RuleEngine } from './rule-engine.ts';
import { rootType, schemaType } from './schema-type.ts';
import { readSchema, type Schema, additionalSchema } from './schema.ts';
import { RULE_STEPS_MAX, validateRules, type ReadyRules } from './validate-rules.ts';
import { validateValue } from './validate-value.ts';
import { under, validateEmbedded } from './validate-type.ts';
import { isJsonObject, jsonEqual, ownField } from '../patch/json-value.ts';

export interface CompileSchemaOptions {
  /** Path of the schema in errors, such as `spec.versions[0].schema.openAPIV3Schema`. */
  readonly at: string;
  /** Engine for validation rules; null only if the schema has none. */
  readonly engine: RuleEngine | null;
}

export interface CompiledSchema {
  readonly type: StructNode;
  /** The object without fields that the schema does not define. */
  prune(object: JsonObject): JsonObject;
  default(object: JsonObject): JsonObject;
  /** Validates all but the metadata, which the caller validates. `old`: undefined on create. */
  validate(object: JsonObject, old?: JsonObject): readonly FieldError[];
  /** Validates only the status. */
  validateStatus(object: JsonObject, old: JsonObject): readonly FieldError[];
}

export type CompileResult =
  | { readonly kind: 'compiled'; readonly schema: CompiledSchema }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export function compileStructural(
  openApiSchema: Json,
  { at, engine }: CompileSchemaOptions,
): CompileResult {
  const patterns = re2Compiler();
  // The root is treated like an embedded resource, so that rules can read apiVersion, kind and metadata.name.
  const root: Schema = { ...readSchema(openApiSchema), embedded: true };
  const errors = shapeErrors({ ...root, embedded: false }, at, patterns);
  if (errors.length > 0) return { kind: 'invalid', errors };
  const rules = checkRules(root, at, engine);
  if (rules.errors.length > 0) return { kind: 'invalid', errors: rules.errors };
  return { kind: 'compiled', schema: compiled(root, { patterns, engine, rules: rules.ready }) };
}

function shapeErrors(schema: Schema, at: string, patterns: Compile): FieldError[] {
  const structure = checkStructure(schema, at);
  return [
    ...structure,
    ...(structure.length > 0 ? [] : checkDefaults(schema, at, patterns)),
    ...(schema.nullable
      ? [forbidden(`${at}.nullable`, 'nullable cannot be true at the root')]
      : []),
    ...checkSchema(schema, at, patterns),
  ];
}

interface Parts {
  readonly patterns: Compile;
  readonly engine: RuleEngine | null;
  readonly rules: ReadyRules;
}

function compiled(root: Schema, parts: Parts): CompiledSchema {
  const type = rootType(root);
  const status = root.properties.get('status');
  const { patterns } = parts;
  return {
    type,
    prune: (object) => decodeValue(object, type).value as JsonObject,
    default: (object) => applyDefaults(object, root) as JsonObject,
    validate(object, old) {
      const errors = [
        ...validateValue(object, root, { path: '', old, patterns }).errors,
        ...validateEmbedded(object, { ...root, embedded: false }, ''),
      ];
      return [...errors, ...promiseErrors(object, root, { old, parts, errors })];
    },
    validateStatus(object, old) {
      const value = object['status'];
      if (status === undefined || value === undefined) return [];
      const place = { path: '', old: old['status'], patterns };
      const errors = under('status', validateValue(value, status, place).errors);
      return [...errors, ...promiseErrors(object, root, { old, parts, errors })];
    },
  };
}

/**
 * Checks unique items and runs rules. Rules run only if all other checks passed, because a value of a wrong type could
 * break them.
 */
function promiseErrors(
  object: JsonObject,
  root: Schema,
  found: { old: JsonObject | undefined; parts: Parts; errors: readonly FieldError[] },
): FieldError[] {
  const { old, parts } = found;
  // If the old object already has duplicates, an update may keep them.
  const doubled = old !== undefined && validateLists(old, root, '').length > 0;
  const lists = doubled ? [] : validateLists(object, root, '');
  const { engine, rules } = parts;
  if (rules.size === 0 || engine === null) return lists;
  if (found.errors.some(({ type }) => BLOCKING.includes(type))) return [...lists, NOT_CHECKED];
  const run = { rules, engine, budget: RULE_STEPS_MAX };
  return [...lists, ...validateRules(object, root, { path: '', old, run })];
}

const BLOCKING: readonly FieldError['type'][] = [
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
];

const NOT_CHECKED: FieldError = {
  type: 'Invalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/**
 * Sets the defaults of a custom resource in a copy. A null that is not nullable is removed or replaced by its default.
 * Then missing fields get their defaults, even inside of defaults.
 */
function applyDefaults(value: Json, schema: Schema | null): Json {
  if (schema === null) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.map((item) => applyDefaults(defaulted(item, items) ?? null, items));
  }
  if (!isJsonObject(value)) return value;
  const fields = new Map(Object.entries(value));
  for (const [name, property] of schema.properties) {
    if (!fields.has(name) && property.default !== undefined) fields.set(name, property.default);
  }
  const filled = [...fields].flatMap(([name, field]): [string, Json][] => {
    const one = schema.properties.get(name) ?? additionalSchema(schema);
    const kept = defaulted(field, one);
    return kept === undefined ? [] : [[name, applyDefaults(kept, one)]];
  });
  // Built from entries, because assigning a field named __proto__ would set the prototype.
  return Object.fromEntries(filled);
}

/** Returns undefined for a null that is not nullable and has no default. */
function defaulted(value: Json, schema: Schema | null): Json | undefined {
  if (value !== null || schema === null || schema.nullable) return value;
  return schema.default;
}

/** Checks the defaults of a schema against the schema itself. */
function checkDefaults(schema: Schema, at: string, patterns: Compile): FieldError[] {
  return [
    ...checkDefault(schema, at, patterns),
    // Defaults in additionalProperties are skipped: no value exists to which they could apply.
    ...(schema.items === null ? [] : checkDefaults(schema.items, `${at}.items`, patterns)),
    ...[...schema.properties].flatMap(([name, one]) =>
      checkDefaults(one, `${at}.properties[${name}]`, patterns),
    ),
  ];
}

function checkDefault(schema: Schema, at: string, patterns: Compile): FieldError[] {
  const value = schema.default;
  if (value === undefined) return [];
  const path = `${at}.default`;
  if (!jsonEqual(decodeValue(value, schemaType(schema)).value, value)) {
    return [invalid(path, value, 'must not have unknown fields')];
  }
  const place = { path: '', old: undefined, patterns };
  return [
    ...validateEmbedded(value, schema, path),
    ...under(path, validateValue(value, schema, place).errors),
  ];
}

/** Checks that items are unique where x-kubernetes-list-type requires it: in a set, or by the keys of a map. */
function validateLists(value: Json, schema: Schema | null, path: string): FieldError[] {
  if (schema === null) return [];
  if (Array.isArray(value)) {
    return [
      ...duplicates(value, schema, path),
      ...value.flatMap((item, index) => validateLists(item, schema.items, `${path}[${index}]`)),
    ];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const property = schema.properties.get(name);
    if (property !== undefined) return validateLists(field, property, join(path, name));
    return validateLists(field, additionalSchema(schema), `${path}[${name}]`);
  });
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function duplicates(items: Json[], { listType, mapKeys }: Schema, path: string): FieldError[] {
  if (listType === 'set') return repeated(items, path, (item) => item);
  if (listType !== 'map') return [];
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalid(`${path}[${wrong}]`, items[wrong], detail)];
  }
  return repeated(items, path, (item) => keysOf(item, mapKeys));
}

function keysOf(item: Json, mapKeys: readonly string[]): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(
    mapKeys.flatMap((key): [string, Json][] => {
      const value = ownField(item, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Reports each repeated value once, at its second occurrence. */
function repeated(items: Json[], path: string, identity: (item: Json) => Json): FieldError[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const value = identity(item);
    const key = canonicalText(value);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 2 ? [duplicate(`${path}[${index}]`, value)] : [];
  });
}

/** A text that is equal for equal values, whatever the order of their fields. */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`).join(',')}}`;
}
