/** What a schema asks of texts and numbers: lengths, pattern, format, bounds. */
import type { Json } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { hasFormat, isNumberFormat } from './formats.ts';
import type { Limits, Schema } from './schema.ts';
import type { Place } from './validate-value.ts';
import { fieldOf } from './verdict.ts';

export function validateScalar(value: Json, schema: Schema, place: Place): FieldError[] {
  if (typeof value === 'string') {
    return [...validateText(value, schema, place), ...validateFormat(value, schema, place.path)];
  }
  if (typeof value !== 'number') return [];
  return [
    ...validateRange(value, schema, place.path),
    ...validateNumber(value, schema, place.path),
  ];
}

/** The first fault counts. */
function validateText(value: string, schema: Schema, { path, patterns }: Place): FieldError[] {
  const { minLength = 0, maxLength = Infinity } = schema.limits;
  const length = charactersIn(value);
  if (length > maxLength) {
    const detail = `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
    return [{ type: 'TooLong', field: fieldOf(path), detail }];
  }
  if (length < minLength) return [bad(path, value, `should be at least ${minLength} chars long`)];
  if (schema.pattern === '') return [];
  const matcher = patterns(schema.pattern);
  // A pattern that is none was refused with its definition; there is nothing it could match.
  if ('matches' in matcher && matcher.matches(value)) return [];
  return [bad(path, value, `should match '${schema.pattern}'`)];
}

/** Not UTF-16 units: an emoji is one. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function validateFormat(value: string, { format }: Schema, path: string): FieldError[] {
  if (hasFormat(value, format)) return [];
  const detail = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
  return [{ type: 'TypeInvalid', field: fieldOf(path), value, detail }];
}

const INT32: readonly [number, number] = [-(2 ** 31), 2 ** 31 - 1];
const INT64: readonly [number, number] = [-(2 ** 63), 2 ** 63];
const FLOAT_MAX = (2 - 2 ** -23) * 2 ** 127;

/** A real server names the place of this fault in the text only. */
function validateRange(value: number, { type, format }: Schema, path: string): FieldError[] {
  if (isInRange(value, type, format)) return [];
  const form = isNumberFormat(format) ? `with format ${format}` : '(default format)';
  const detail = `Checked value must be of type ${type} ${form} in ${path}`;
  return [{ type: 'Invalid', field: '<nil>', value: '', detail }];
}

function isInRange(value: number, type: string, format: string): boolean {
  if (type !== 'integer') return format !== 'float' || Math.abs(value) <= FLOAT_MAX;
  const [least, most] = format === 'int32' ? INT32 : INT64;
  return Number.isInteger(value) && value >= least && value <= most;
}

function validateNumber(value: number, { limits }: Schema, path: string): FieldError[] {
  const { multipleOf } = limits;
  const faults = [
    ...(multipleOf === undefined || isMultiple(value, multipleOf)
      ? []
      : [`should be a multiple of ${multipleOf}`]),
    ...belowMinimum(value, limits),
    ...aboveMaximum(value, limits),
  ];
  return faults.map((fault) => bad(path, value, fault));
}

function belowMinimum(value: number, { minimum, exclusiveMinimum }: Limits): string[] {
  if (minimum === undefined || value > minimum) return [];
  if (exclusiveMinimum) return [`should be greater than ${minimum}`];
  return value === minimum ? [] : [`should be greater than or equal to ${minimum}`];
}

function aboveMaximum(value: number, { maximum, exclusiveMaximum }: Limits): string[] {
  if (maximum === undefined || value < maximum) return [];
  if (exclusiveMaximum) return [`should be less than ${maximum}`];
  return value === maximum ? [] : [`should be less than or equal to ${maximum}`];
}

/** How far a quotient of two fractions may be off a whole number, as a part of it. */
const QUOTIENT_ERROR = 1e-9;

function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return false;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = Math.round(quotient);
  return Math.abs(quotient - whole) <= QUOTIENT_ERROR * Math.abs(quotient + whole);
}

function bad(path: string, value: string | number, fault: string): FieldError {
  return { type: 'Invalid', field: fieldOf(path), value, detail: `${path} in body ${fault}` };
}
