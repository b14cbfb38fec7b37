/**
 * Reads the OpenAPI schema of a custom resource into the form that all other functions use.
 *
 * Reading never fails. A field of a wrong type counts as absent, and `unsupported` lists unsupported fields, which a
 * check reports.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';

export interface Schema {
  /** Type; '' if absent. */
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  readonly intOrString: boolean;
  /** Undefined if absent. A check refuses false. */
  readonly preserveUnknown: boolean | undefined;
  readonly embedded: boolean;
  readonly default: Json | undefined;
  readonly properties: ReadonlyMap<string, Schema>;
  /** additionalProperties: a schema; a boolean, which restricts nothing; null if absent. */
  readonly additional: Schema | boolean | null;
  readonly items: Schema | null;
  readonly required: readonly string[];
  readonly enum: readonly Json[] | null;
  readonly limits: Limits;
  readonly pattern: string;
  readonly uniqueItems: boolean;
  readonly allOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | null;
  /** x-kubernetes-list-type; '' if absent. */
  readonly listType: string;
  readonly mapKeys: readonly string[];
  readonly mapType: string;
  readonly rules: readonly Rule[];
  readonly documented: { readonly title: boolean; readonly description: boolean };
  /** Names of fields that are present, but that the schema of a custom resource cannot have. */
  readonly unsupported: readonly string[];
}

export interface Limits {
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** One entry of x-kubernetes-validations. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

const UNSUPPORTED = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

/**
 * Reads a schema. The caller limits the depth of the value. All fields are in one literal, because merging objects
 * takes twenty times as long.
 */
export function readSchema(value: Json | undefined): Schema {
  const source: JsonObject = value !== undefined && isJsonObject(value) ? value : {};
  const additional = ownField(source, 'additionalProperties');
  const preserve = ownField(source, 'x-kubernetes-preserve-unknown-fields');
  return {
    type: text(source, 'type'),
    format: text(source, 'format'),
    nullable: flag(source, 'nullable'),
    intOrString: flag(source, 'x-kubernetes-int-or-string'),
    preserveUnknown: typeof preserve === 'boolean' ? preserve : undefined,
    embedded: flag(source, 'x-kubernetes-embedded-resource'),
    default: ownField(source, 'default') ?? undefined,
    properties: readProperties(ownField(source, 'properties')),
    additional: typeof additional === 'boolean' ? additional : schemaOrNull(additional),
    items: schemaOrNull(ownField(source, 'items')),
    required: texts(ownField(source, 'required')),
    enum: list(ownField(source, 'enum')),
    limits: readLimits(source),
    pattern: text(source, 'pattern'),
    uniqueItems: flag(source, 'uniqueItems'),
    allOf: schemas(ownField(source, 'allOf')),
    anyOf: schemas(ownField(source, 'anyOf')),
    oneOf: schemas(ownField(source, 'oneOf')),
    not: schemaOrNull(ownField(source, 'not')),
    listType: text(source, 'x-kubernetes-list-type'),
    mapKeys: texts(ownField(source, 'x-kubernetes-list-map-keys')),
    mapType: text(source, 'x-kubernetes-map-type'),
    rules: (list(ownField(source, 'x-kubernetes-validations')) ?? []).map(readRule),
    documented: {
      title: text(source, 'title') !== '',
      description: text(source, 'description') !== '',
    },
    unsupported: UNSUPPORTED.filter((name) => (ownField(source, name) ?? null) !== null),
  };
}

/** The schema in additionalProperties; null if it is a boolean or absent. */
export function additionalSchema({ additional }: Schema): Schema | null {
  return typeof additional === 'object' ? additional : null;
}

function readProperties(value: Json | undefined): Map<string, Schema> {
  return new Map(Object.entries(objectOr(value)).map(([name, one]) => [name, readSchema(one)]));
}

const NUMBERS = [
  'multipleOf',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

function readLimits(source: JsonObject): Limits {
  const numbers = NUMBERS.flatMap((name) => {
    const value = ownField(source, name);
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(numbers),
    exclusiveMinimum: flag(source, 'exclusiveMinimum'),
    exclusiveMaximum: flag(source, 'exclusiveMaximum'),
  };
}

function readRule(value: Json): Rule {
  const source = objectOr(value);
  return {
    rule: text(source, 'rule'),
    message: text(source, 'message'),
    messageExpression: text(source, 'messageExpression'),
    reason: text(source, 'reason'),
    fieldPath: text(source, 'fieldPath'),
    optionalOldSelf: flag(source, 'optionalOldSelf'),
  };
}

function schemas(value: Json | undefined): Schema[] {
  return (list(value) ?? []).map(readSchema);
}

function schemaOrNull(value: Json | undefined): Schema | null {
  return value !== undefined && isJsonObject(value) ? readSchema(value) : null;
}

function objectOr(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function list(value: Json | undefined): Json[] | null {
  return Array.isArray(value) ? value : null;
}

function texts(value: Json | undefined): string[] {
  return (list(value) ?? []).filter((item): item is string => typeof item === 'string');
}

function text(source: JsonObject, name: string): string {
  const value = ownField(source, name);
  return typeof value === 'string' ? value : '';
}

function flag(source: JsonObject, name: string): boolean {
  return ownField(source, name) === true;
}
