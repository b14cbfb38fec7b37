/**
 * Validates a custom resource by its schema, with errors in the text of a real API server. A part that an update does
 * not change is not checked again (ratcheting), so a schema can become stricter than existing objects.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { Compile } from '../../../../../src/model/pattern.ts';
import type { FieldError } from '../field-error.ts';
import { isJsonObject, jsonEqual, ownField } from '../patch/json-value.ts';
import { additionalSchema, type Schema, type Limits } from './schema.ts';
import { validateType, fieldOf, merged, PASSED, verdict, type Verdict } from './validate-type.ts';
import { hasFormat, isNumberFormat } from './formats.ts';

export interface Place {
  /** Path such as `spec.replicas`; '' for the root. */
  readonly path: string;
  /** Old value; undefined on create, and if the old value cannot be found. */
  readonly old: Json | undefined;
  readonly patterns: Compile;
}

export function validateValue(value: Json, schema: Schema, place: Place): Verdict {
  if (place.old !== undefined && jsonEqual(value, place.old)) return PASSED;
  const type = verdict(validateType(value, schema, place.path));
  const choice = verdict(validateEnum(value, schema, place.path));
  if (value === null) return merged([type, choice]);
  return merged([
    type,
    validateChoices(schema, place.path, (one) =>
      validateValue(value, one, { ...place, old: undefined }),
    ),
    verdict(validateScalar(value, schema, place)),
    ...(Array.isArray(value) ? [validateList(value, schema, place)] : []),
    choice,
    ...(isJsonObject(value) ? [validateObject(value, schema, place)] : []),
  ]);
}

function validateEnum(value: Json, schema: Schema, path: string): FieldError[] {
  if (schema.enum === null || schema.enum.some((one) => jsonEqual(one, value))) return [];
  const names = schema.enum.map((one) =>
    JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one)),
  );
  const detail = `supported values: ${names.join(', ')}`;
  return [{ type: 'NotSupported', field: fieldOf(path), value, detail }];
}

function validateList(items: Json[], schema: Schema, place: Place): Verdict {
  const { path } = place;
  const { minItems = 0, maxItems = Infinity } = schema.limits;
  const size: FieldError[] = [];
  if (items.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    size.push({ type: 'Invalid', field: fieldOf(path), value: items.length, detail });
  }
  if (items.length > maxItems) size.push(tooMany(path, items.length, maxItems));
  const one = schema.items;
  if (one === null) return verdict(size);
  const olds = correlated(items, schema, place.old);
  return merged([
    ...items.map((item, index) =>
      validateValue(item, one, { ...place, path: `${path}[${index}]`, old: olds[index] }),
    ),
    verdict(size),
  ]);
}

/** Old value of each item. It can be found only in lists whose items have keys. */
function correlated(items: Json[], schema: Schema, old: Json | undefined): (Json | undefined)[] {
  if (schema.listType !== 'map' || !Array.isArray(old)) return [];
  const keyOf = (item: Json): string =>
    JSON.stringify(
      isJsonObject(item) ? schema.mapKeys.map((key) => ownField(item, key) ?? null) : item,
    );
  const byKey = new Map(old.map((item) => [keyOf(item), item]));
  return items.map((item) => byKey.get(keyOf(item)));
}

function validateObject(value: JsonObject, schema: Schema, place: Place): Verdict {
  const { path } = place;
  const old = place.old !== undefined && isJsonObject(place.old) ? place.old : {};
  const inner = (name: string): Place => ({
    ...place,
    path: path === '' ? name : `${path}.${name}`,
    old: ownField(old, name),
  });
  const additional = additionalSchema(schema);
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const one = schema.properties.get(name) ?? additional;
    return one === null ? [] : [validateValue(field, one, inner(name))];
  });
  const missing = schema.required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): FieldError => ({ type: 'Required', field: inner(name).path, detail: '' }));
  return merged([verdict(objectSize(value, schema, path)), ...fields, verdict(missing)]);
}

function objectSize(value: JsonObject, schema: Schema, path: string): FieldError[] {
  const size = Object.keys(value).length;
  const { minProperties = 0, maxProperties = Infinity } = schema.limits;
  if (size > maxProperties) return [tooMany(path, size, maxProperties)];
  if (size >= minProperties) return [];
  const detail = `${path} in body should have at least ${minProperties} properties`;
  return [{ type: 'Invalid', field: fieldOf(path), value: size, detail }];
}

function tooMany(path: string, value: number, max: number): FieldError {
  const detail = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
  return { type: 'TooMany', field: fieldOf(path), value, detail };
}

/** Checks anyOf, oneOf, allOf and not together. `ask` checks the value by one alternative. */
function validateChoices(
  schema: Schema,
  path: string,
  ask: (alternative: Schema) => Verdict,
): Verdict {
  const { anyOf, oneOf, allOf, not } = schema;
  return merged([
    anyOf.length === 0 ? NOTHING : ofAny(anyOf.map(ask), path),
    oneOf.length === 0 ? NOTHING : ofOne(oneOf.map(ask), path),
    allOf.length === 0 ? NOTHING : ofAll(allOf.map(ask), path),
    not === null ? NOTHING : ofNone(ask(not), path),
    PASSED,
  ]);
}

const NOTHING: Verdict = { errors: [], matches: 0 };

function ofAny(verdicts: readonly Verdict[], path: string): Verdict {
  const first = verdicts.find(isValid);
  if (first !== undefined) return first;
  return failed(`${JSON.stringify(path)} must validate at least one schema (anyOf)`, verdicts);
}

function ofOne(verdicts: readonly Verdict[], path: string): Verdict {
  const valid = verdicts.filter(isValid);
  const [first] = valid;
  if (first !== undefined && valid.length === 1) return first;
  const rule = `${JSON.stringify(path)} must validate one and only one schema (oneOf).`;
  if (valid.length > 1) return failed(`${rule} Found ${valid.length} valid alternatives`, []);
  return failed(`${rule} Found none valid`, verdicts);
}

function ofAll(verdicts: readonly Verdict[], path: string): Verdict {
  const valid = verdicts.filter(isValid).length;
  if (valid === verdicts.length) return merged(verdicts);
  const none = valid === 0 ? '. None validated' : '';
  const rule = `${JSON.stringify(path)} must validate all the schemas (allOf)${none}`;
  return merged([...verdicts, failed(rule, [])]);
}

function ofNone(unwanted: Verdict, path: string): Verdict {
  if (!isValid(unwanted)) return NOTHING;
  return failed(`${JSON.stringify(path)} must not validate the schema (not)`, []);
}

function isValid({ errors }: Verdict): boolean {
  return errors.length === 0;
}

/** The error of a choice, which has no field, and the errors of the closest alternative. */
function failed(detail: string, alternatives: readonly Verdict[]): Verdict {
  const [nearest] = alternatives.toSorted((a, b) => b.matches - a.matches);
  const error: FieldError = { type: 'Invalid', field: '<nil>', value: '', detail };
  return { errors: [error, ...(nearest?.errors ?? [])], matches: nearest?.matches ?? 0 };
}

/** Validates texts and numbers: lengths, pattern, format, bounds. */
function validateScalar(value: Json, schema: Schema, place: Place): FieldError[] {
  if (typeof value === 'string') {
    return [...validateText(value, schema, place), ...validateFormat(value, schema, place.path)];
  }
  if (typeof value !== 'number') return [];
  return [
    ...validateRange(value, schema, place.path),
    ...validateNumber(value, schema, place.path),
  ];
}

/** Reports the first error only. */
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
  // The check of the definition has refused invalid patterns. If one occurs anyway, no text matches it.
  if ('matches' in matcher && matcher.matches(value)) return [];
  return [bad(path, value, `should match '${schema.pattern}'`)];
}

/** Number of characters, not of UTF-16 units: an emoji counts as one. */
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
/** The upper bound is 2^63 for the reason given at `isInteger64`. */
const INT64: readonly [number, number] = [-(2 ** 63), 2 ** 63];
const FLOAT_MAX = (2 - 2 ** -23) * 2 ** 127;

/** Checks the range of a number. As on a real server, the error names its field only in the text. */
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

/** Largest relative distance from an integer at which a quotient still counts as one. */
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
