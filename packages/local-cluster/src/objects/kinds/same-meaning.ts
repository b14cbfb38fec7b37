/**
 * Whether two values say the same: an absent field, null, false, and an empty string or list
 * are one. Zero and an empty struct are not: of an optional field they mean something (`emptyDir: {}`).
 * Depth is bounded by that of the objects, which the decoder has bounded.
 */
import type { Json } from '../../../../../src/kube/object.ts';
import { type Field, isObject } from '../../../../../src/kube/fields.ts';

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
