/** The checks of single fields that many kinds share, for the rows of field-rules.ts. */
import { at, type Field, fieldsAt, listAt, textAt } from '../../../../../src/kube/fields.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  NOT_NEGATIVE,
  notSupported,
  required,
} from '../field-error.ts';
import { type NameRule, portName } from '../metadata-names.ts';
import { sameMeaning } from './checks.ts';
import type { Check, Place } from './field-rules.ts';

const PORT_MAX = 65_535;

export function needed(detail = ''): Check {
  return (value, field) => (isUnset(value) ? [required(field, detail)] : []);
}

export function isUnset(value: Field): boolean {
  return value === 0 || sameMeaning(value, '');
}

/** Only if the field is set: neither absent nor empty nor zero. */
export function ifSet<S>(check: Check<S>): Check<S> {
  return (value, field, place) => (isUnset(value) ? [] : check(value, field, place));
}

/** The syntax of a text, which may be empty only if the rule permits it. */
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

/** An absent port counts as 0, which is not valid. */
export const port: Check = (value, field, place) => between(1, PORT_MAX)(value ?? 0, field, place);

export const portOrName: Check = (value, field, place) =>
  typeof value === 'string' ? form(portName)(value, field, place) : port(value, field, place);

/** One of the words; `oneOf` requires it too. */
export function among(...words: readonly string[]): Check {
  return (value, field) =>
    words.includes(textAt(value)) ? [] : [notSupported(field, textAt(value), words)];
}

export function oneOf(...words: readonly string[]): Check {
  const [isNeeded, isAmong] = [needed(), among(...words)];
  return (value, field, place) => (isUnset(value) ? isNeeded : isAmong)(value, field, place);
}

/** Whether a value is wrong. */
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

/** The syntax of the keys of a map; the errors name the map. */
export function keysOf(rule: NameRule): Check {
  return (value, field) =>
    Object.keys(fieldsAt(value)).flatMap((key) => invalidEach(field, key, rule(key)));
}

/** An error for every item whose `key` an earlier one has; another check reports empty keys. */
export function unique(key: string): Check {
  return (value, field) => {
    const keys = listAt(value).map((item) => textAt(item, key));
    return keys.flatMap((one, index) =>
      one !== '' && keys.indexOf(one) < index ? [duplicate(`${field}[${index}].${key}`, one)] : [],
    );
  };
}

/** Whether an earlier item of the list has the same value in this field. */
export function isRepeated(name: string): Test<unknown> {
  return (_, { list, index }) => {
    const value = at(list[index], name) ?? '';
    return list.slice(0, index).some((item) => (at(item, name) ?? '') === value);
  };
}

/** As on the server, the error names the list instead of its item. */
export function namingList<S>(check: Check<S>): Check<S> {
  return (value, field, place) => check(value, field.replace(/\[\d+\](?!.*\[)/, ''), place);
}

/** As on the server, the error names the list of the item that has the field. */
export function atList<S>(check: Check<S>): Check<S> {
  return (value, field, place) => check(value, field.replace(/\[\d+\](?!.*\[).*$/, ''), place);
}
