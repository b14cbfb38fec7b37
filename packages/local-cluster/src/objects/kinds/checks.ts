/** Checks that many kinds share: ranges of numbers, allowed values, ports, unique items. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import {
  duplicate,
  IMMUTABLE,
  invalid,
  invalidEach,
  NOT_NEGATIVE,
  notSupported,
  required,
} from '../field-errors.ts';
import { portName } from '../metadata-names.ts';
import { type Field, numberAt, textAt, isObject } from '../../../../../src/kube/fields.ts';

const PORT_MAX = 65_535;

/** Each of these numbers, if present, is not negative. */
export function nonNegative(
  object: JsonObject,
  field: string,
  names: readonly string[],
): readonly FieldError[] {
  return names.flatMap((name) => {
    const value = numberAt(object, name);
    return value !== undefined && value < 0
      ? [invalid(`${field}.${name}`, value, NOT_NEGATIVE)]
      : [];
  });
}

export function within(
  field: string,
  value: number | undefined,
  [least, most]: readonly [number, number],
): readonly FieldError[] {
  if (value === undefined || (value >= least && value <= most)) return [];
  return [invalid(field, value, `must be between ${least} and ${most}, inclusive`)];
}

export function portNumber(field: string, value: number | undefined): readonly FieldError[] {
  return within(field, value, [1, PORT_MAX]);
}

export function portNumberOrName(field: string, value: Field): readonly FieldError[] {
  if (typeof value === 'string') return invalidEach(field, value, portName(value));
  return portNumber(field, typeof value === 'number' ? value : 0);
}

/** The value is required, and must be one of those listed. */
export function oneOf(
  field: string,
  value: string,
  words: readonly string[],
): readonly FieldError[] {
  if (value === '') return [required(field)];
  return notSupportedUnless(field, value, words);
}

export function notSupportedUnless(
  field: string,
  value: string,
  words: readonly string[],
): readonly FieldError[] {
  return words.includes(value) ? [] : [notSupported(field, value, words)];
}

/** The value, if present, must be one of those listed. */
export function oneOfIfSet(
  field: string,
  value: string,
  words: readonly string[],
): readonly FieldError[] {
  return value === '' ? [] : oneOf(field, value, words);
}

export function requiredTexts(
  object: JsonObject,
  field: string,
  names: readonly string[],
): readonly FieldError[] {
  return names
    .filter((name) => textAt(object, name) === '')
    .map((name) => required(`${field}.${name}`));
}

export function immutable(field: string, now: Field, before: Field): readonly FieldError[] {
  return sameMeaning(now, before) ? [] : [invalid(field, now, IMMUTABLE)];
}

/** An error for every item with the key of an earlier one; another check reports empty keys. */
export function duplicates(
  items: readonly JsonObject[],
  keyOf: (item: JsonObject) => string,
  fieldOf: (index: number) => string,
): readonly FieldError[] {
  const keys = items.map(keyOf);
  return keys.flatMap((key, index) =>
    key !== '' && keys.indexOf(key) < index ? [duplicate(fieldOf(index), key)] : [],
  );
}

/** An integer or a percentage that is not negative, as in rollouts and disruption budgets. */
export function amountOrPercent(field: string, value: Field): readonly FieldError[] {
  if (typeof value === 'number') {
    return value < 0 ? [invalid(field, value, NOT_NEGATIVE)] : [];
  }
  if (typeof value !== 'string' || /^\d{1,9}%$/.test(value)) return [];
  return [
    invalid(
      field,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ];
}

/** The number of a percentage; undefined for integers. */
export function percentOf(value: Json | undefined): number | undefined {
  const found = typeof value === 'string' ? /^(\d+)%$/.exec(value) : null;
  return found === null ? undefined : Number(found[1]);
}

/**
 * Whether two values have the same meaning: absent, null, false, an empty string and an empty list are equal. Zero and
 * an empty struct differ from them: in an optional field they have a meaning (`emptyDir: {}`). The decoder has limited
 * the depth of the objects.
 */
export function sameMeaning(a: Field, b: Field): boolean {
  if (a === b) return true;
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameMeaning(a[name], b[name]));
}

function sameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, index) => sameMeaning(item, b[index]));
}

function isEmpty(value: Field): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}
