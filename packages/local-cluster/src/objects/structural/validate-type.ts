/** Checks whether a value has the type of its schema; an integer is a number, and one with a format may be text. */
import type { Json } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { isKnownFormat } from './formats.ts';
import type { Schema } from './schema.ts';

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

/** Types of values that a real server never checks by format. */
const NEVER_BY_FORMAT = ['array', 'string'];

/** A schema with only a format accepts every text. */
function isOneOf(type: string, types: readonly string[]): boolean {
  if (types.length === 0) return type === 'string';
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

export function typesOf({ type, intOrString }: Schema): string[] {
  if (intOrString) return ['integer', 'string'];
  return type === '' ? [] : [type];
}

/** A real server reads an integer outside of 64 bits as a float. */
export function isInteger64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
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

/** The result of checking a value by a schema. If all alternatives failed, that with the most matches is reported. */
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

/** The server has no name for the root. */
export function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path;
}

/** Moves the errors of a value that was checked separately to `path`; their texts stay unchanged. */
export function under(path: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({
    ...error,
    field: error.field === '<nil>' ? path : `${path}.${error.field}`,
  }));
}
