/** Amounts, percentages, and the comparison of two values, for the checks of all kinds. */
import type { Json } from '../../../../../src/kube/object.ts';
import { type FieldError, IMMUTABLE, invalid, NOT_NEGATIVE } from '../field-error.ts';
import { type Field, isObject } from '../../../../../src/kube/fields.ts';

export function immutable(field: string, now: Field, before: Field): readonly FieldError[] {
  return sameMeaning(now, before) ? [] : [invalid(field, now, IMMUTABLE)];
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
