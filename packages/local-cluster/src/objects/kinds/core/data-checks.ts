/** What configuration and secrets are checked for alike: keys, size, and that the immutable stay so. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid, invalidEach, tooLong } from '../../field-errors.ts';
import { utf8Bytes } from '../../metadata-maps.ts';
import { configKey } from '../../metadata-names.ts';
import { fieldsAt, isTrue, textMapAt } from '../../../../../../src/kube/fields.ts';
import { sameMeaning } from '../same-meaning.ts';

export const DATA_BYTES_MAX: number = 1024 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function checkKeys(object: JsonObject, name: string): readonly FieldError[] {
  return Object.keys(fieldsAt(object, name)).flatMap((key) =>
    invalidEach(`${name}[${key}]`, key, configKey(key)),
  );
}

export function checkBase64(object: JsonObject, name: string): readonly FieldError[] {
  return Object.entries(textMapAt(object, name))
    .filter(([, value]) => !BASE64.test(value))
    .map(([key, value]) => invalid(`${name}[${key}]`, value, 'must be base64'));
}

export function checkSize(field: string, bytes: number): readonly FieldError[] {
  return bytes > DATA_BYTES_MAX ? [tooLong(field, DATA_BYTES_MAX)] : [];
}

export function textBytes(object: JsonObject, name: string): number {
  return Object.values(textMapAt(object, name)).reduce((sum, value) => sum + utf8Bytes(value), 0);
}

/** Of what is in base64, the bytes meant. */
export function decodedBytes(object: JsonObject, name: string): number {
  return Object.values(textMapAt(object, name)).reduce((sum, value) => {
    const padding = value.endsWith('==') ? 2 : Number(value.endsWith('='));
    return sum + (value.length / 4) * 3 - padding;
  }, 0);
}

/** Once `immutable` is set it stays, and with it the fields named. */
export function checkImmutable(
  object: JsonObject,
  old: JsonObject | undefined,
  fields: readonly string[],
): readonly FieldError[] {
  if (old === undefined || !isTrue(old, 'immutable')) return [];
  const changed = fields.filter((name) => !sameMeaning(object[name], old[name]));
  return [...(isTrue(object, 'immutable') ? [] : ['immutable']), ...changed].map((name) =>
    forbidden(name, 'field is immutable when `immutable` is set'),
  );
}
