/**
 * Checks of single fields that many kinds share, for the rows of `field-rules.ts`; and the comparison of two values.
 */
import {
  at,
  type Field,
  fieldsAt,
  listAt,
  textAt,
  isObject,
} from '../../../../../src/kube/fields.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  NOT_NEGATIVE,
  notSupported,
  required,
  type FieldError,
  IMMUTABLE,
} from '../field-error.ts';
import { type NameRule, portName } from '../metadata-names.ts';
import type { Check, Place } from './field-rules.ts';
import type { Json } from '../../../../../src/kube/object.ts';

const PORT_MAX = 65_535;

export function needed(detail = ''): Check {
  return (value, field) => (isUnset(value) ? [required(field, detail)] : []);
}

export function isUnset(value: Field): boolean {
  return value === 0 || sameMeaning(value, '');
}

/** Runs the check only if the field is set: not absent, empty or zero. */
export function ifSet<S>(check: Check<S>): Check<S> {
  return (value, field, place) => (isUnset(value) ? [] : check(value, field, place));
}

/** Checks the syntax of a text. Whether '' is valid depends on the rule. */
export function form(rule: NameRule): Check {
  return (value, field) => {
    const text = textAt(value);
    return invalidEach(field, text, rule(text));
  };
}

export const notNegative: Check = (value, field) =>
  typeof value === 'number' && value < 0 ? [invalid(field, value, NOT_NEGATIVE)] : [];

export function between(least: number, most: number): Check {
  return (value, field) =>
    typeof value !== 'number' || (value >= least && value <= most)
      ? []
      : [invalid(field, value, `must be between ${least} and ${most}, inclusive`)];
}

/** A port is required: an absent one is checked as 0, which is invalid. */
export const port: Check = (value, field, place) => between(1, PORT_MAX)(value ?? 0, field, place);

export const portOrName: Check = (value, field, place) =>
  typeof value === 'string' ? form(portName)(value, field, place) : port(value, field, place);

/** The text must be one of `words`. Unlike `oneOf`, it does not report a missing value as Required. */
export function among(...words: readonly string[]): Check {
  return (value, field) =>
    words.includes(textAt(value)) ? [] : [notSupported(field, textAt(value), words)];
}

export function oneOf(...words: readonly string[]): Check {
  const [isNeeded, isAmong] = [needed(), among(...words)];
  return (value, field, place) => (isUnset(value) ? isNeeded : isAmong)(value, field, place);
}

/** True if a value is wrong. */
export type Test<S> = (value: Field, place: Place<S>) => boolean;

export function invalidIf<S>(test: Test<S>, detail: string): Check<S> {
  return (value, field, place) => (test(value, place) ? [invalid(field, value ?? '', detail)] : []);
}

export function forbiddenIf<S>(test: Test<S>, detail: string): Check<S> {
  return (value, field, place) => (test(value, place) ? [forbidden(field, detail)] : []);
}

export function duplicateIf<S>(test: Test<S>): Check<S> {
  return (value, field, place) => (test(value, place) ? [duplicate(field, value ?? '')] : []);
}

export function atMost(max: number): Check {
  return (value, field) => {
    const { length } = listAt(value);
    if (length <= max) return [];
    return [{ type: 'TooMany', field, value: length, detail: `must have at most ${max} items` }];
  };
}

/** Checks the syntax of the keys of a map. Errors name the map. */
export function keysOf(rule: NameRule): Check {
  return (value, field) =>
    Object.keys(fieldsAt(value)).flatMap((key) => invalidEach(field, key, rule(key)));
}

/** An error for each item whose `key` an earlier item has too. Empty keys are not reported here. */
export function unique(key: string): Check {
  return (value, field) => {
    const keys = listAt(value).map((item) => textAt(item, key));
    return keys.flatMap((one, index) =>
      one !== '' && keys.indexOf(one) < index ? [duplicate(`${field}[${index}].${key}`, one)] : [],
    );
  };
}

/** True if an earlier item of the list has the same value in the field `name`. */
export function isRepeated(name: string): Test<unknown> {
  return (_, { list, index }) => {
    const value = at(list[index], name) ?? '';
    return list.slice(0, index).some((item) => (at(item, name) ?? '') === value);
  };
}

/** Errors name the list in place of its item, as on a real server. */
export function namingList<S>(check: Check<S>): Check<S> {
  return (value, field, place) => check(value, field.replace(/\[\d+\](?!.*\[)/, ''), place);
}

/** Errors name the list in place of the field of an item, as on a real server. */
export function atList<S>(check: Check<S>): Check<S> {
  return (value, field, place) => check(value, field.replace(/\[\d+\](?!.*\[).*$/, ''), place);
}

export function immutable(field: string, now: Field, before: Field): readonly FieldError[] {
  return sameMeaning(now, before) ? [] : [invalid(field, now, IMMUTABLE)];
}

/** Checks an integer or percentage, as in rollouts and disruption budgets: it must not be negative. */
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

/** The number of a percentage; undefined if the value is no percentage. */
export function percentOf(value: Json | undefined): number | undefined {
  const found = typeof value === 'string' ? /^(\d+)%$/.exec(value) : null;
  return found === null ? undefined : Number(found[1]);
}

/**
 * True if two values mean the same: absent, null, false, '' and an empty list are equal. Zero and an empty struct
 * differ from these, because they have a meaning in an optional field (`emptyDir: {}`). The decoder has limited the
 * depth of the objects.
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
