/**
 * Checks whether a value has the type of its schema. An integer is also a number. If the schema has a known format,
 * most errors name the format in place of the type.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isInteger64 } from '../decode-scalar.ts';
import { type FieldError, invalid, required } from '../field-error.ts';
import { pathSegment } from '../metadata-names.ts';
import { validateMetadata } from '../metadata.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import { isKnownFormat } from './formats.ts';
import { additionalSchema, type Schema } from './schema.ts';

export function validateType(value: Json, schema: Schema, path: string): FieldError[] {
  const types = typesOf(schema);
  const format = isKnownFormat(schema.format) ? schema.format : '';
  if (value === null) {
    return types.length === 0 || schema.nullable ? [] : [wrongType(path, types.join(','), 'null')];
  }
  const type = jsonType(value);
  if (isOneOf(type, types)) return [];
  if (format !== '' && !NEVER_BY_FORMAT.includes(type))
    return [wrongType(path, format, GO_FORMATS[type] ?? '')];
  return types.length === 0 ? [] : [wrongType(path, types.join(','), type)];
}

/** Types of received values for which the error never names the format. */
const NEVER_BY_FORMAT = ['array', 'string'];

/** True if a value of `type` is valid. A schema with only a format accepts every text. */
function isOneOf(type: string, types: readonly string[]): boolean {
  if (types.length === 0) return type === 'string';
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

export function typesOf({ type, intOrString }: Schema): string[] {
  if (intOrString) return ['integer', 'string'];
  return type === '' ? [] : [type];
}

function jsonType(value: Exclude<Json, null>): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInteger64(value) ? 'integer' : 'number';
  return typeof value;
}

const GO_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

function wrongType(path: string, wanted: string, received: string): FieldError {
  const detail = `${path} in body must be of type ${wanted}: ${JSON.stringify(received)}`;
  return { type: 'TypeInvalid', field: fieldOf(path), value: received, detail };
}

/**
 * The errors of a value by one schema. `matches` counts the checks that passed: if all alternatives fail, the one with
 * the most is reported.
 */
export interface Verdict {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

export const PASSED: Verdict = { errors: [], matches: 1 };

export function verdict(errors: readonly FieldError[]): Verdict {
  return { errors, matches: errors.length === 0 ? 1 : 0 };
}

export function merged(verdicts: readonly Verdict[]): Verdict {
  return {
    errors: verdicts.flatMap(({ errors }) => errors),
    matches: verdicts.reduce((sum, { matches }) => sum + matches, 0),
  };
}

/** Path in an error. A real server has no name for the root. */
export function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path;
}

/** Puts `path` before the field of each error. The value at `path` was checked by itself, so fields begin below it. */
export function under(path: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({
    ...error,
    field: error.field === '<nil>' ? path : `${path}.${error.field}`,
  }));
}

/** Validates apiVersion, kind and metadata of embedded objects. */
export function validateEmbedded(value: Json, schema: Schema | null, path: string): FieldError[] {
  if (schema === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => validateEmbedded(item, schema.items, `${path}[${at}]`));
  }
  if (!isJsonObject(value)) return [];
  const own = schema.embedded ? validateOne(value, path) : [];
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const property = schema.properties.get(name);
    if (property === undefined) {
      return validateEmbedded(field, additionalSchema(schema), `${path}[${name}]`);
    }
    return validateEmbedded(field, property, path === '' ? name : `${path}.${name}`);
  });
  return [...own, ...inner];
}

function validateOne(object: JsonObject, path: string): FieldError[] {
  return [
    ...nameFaults(object, 'apiVersion', path),
    ...nameFaults(object, 'kind', path),
    ...metadataFaults(object, path),
  ];
}

function nameFaults(object: JsonObject, field: string, path: string): FieldError[] {
  const value = ownField(object, field);
  if (value === undefined) return [required(`${path}.${field}`)];
  if (typeof value !== 'string') return [invalid(`${path}.${field}`, value, 'must be a string')];
  return value === '' ? [invalid(`${path}.${field}`, value, 'must not be empty')] : [];
}

/** Checks the metadata of an embedded object. It needs no name, because it exists only inside another object. */
function metadataFaults(object: JsonObject, path: string): FieldError[] {
  const metadata = ownField(object, 'metadata');
  if (metadata === undefined) return [];
  if (!isJsonObject(metadata)) return [invalid(`${path}.metadata`, metadata, 'must be an object')];
  const named = { name: 'unnamed', ...metadata };
  const namespaced = ownField(metadata, 'namespace') !== undefined;
  const options = {
    object: { metadata: named },
    namespaced,
    nameRule: pathSegment,
    plainFinalizers: true,
  };
  return validateMetadata(options).map((error) => ({
    ...error,
    field: `${path}.${error.field}`,
  }));
}
