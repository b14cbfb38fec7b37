/**
 * The kinds Secret and ConfigMap. Values of a Secret are in base64, and its type requires some keys. `stringData` is
 * write-only.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
  tooLong,
} from '../../field-error.ts';
import { immutable, sameMeaning } from '../field-checks.ts';
import { AGE, NAME, text, textField } from '../columns.ts';
import {
  fieldsAt,
  fill,
  fillObject,
  textAt,
  textMapAt,
  isTrue,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { utf8Bytes } from '../../metadata.ts';
import { configKey } from '../../metadata-names.ts';

/** Maximum number of bytes of data in one Secret or ConfigMap. */
const DATA_BYTES_MAX: number = 1024 * 1024;
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

/** The size of base64 data, in decoded bytes. */
export function decodedBytes(object: JsonObject, name: string): number {
  return Object.values(textMapAt(object, name)).reduce((sum, value) => {
    const padding = value.endsWith('==') ? 2 : Number(value.endsWith('='));
    return sum + (value.length / 4) * 3 - padding;
  }, 0);
}

/** Checks an immutable object: `immutable` cannot be unset, and the named fields cannot change. */
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

/** Encodes a text as UTF-8 and base64. */
function base64OfText(plain: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(plain)) bytes += String.fromCodePoint(byte);
  return btoa(bytes);
}

/** Decodes base64 and UTF-8; returns '' for invalid base64. */
function textOfBase64(encoded: string): string {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}

const DOCKER_CONFIG = '.dockercfg';
const DOCKER_CONFIG_JSON = '.dockerconfigjson';

export const secret: KindSpec = {
  ...inNamespace('v1', 'Secret'),
  columns: [
    NAME,
    textField('Type', 'type'),
    text('Data', (object) => Object.keys(fieldsAt(object, 'data')).length),
    AGE,
  ],
  fieldSelectors: { type: (object) => textAt(object, 'type') },
  fill(draft) {
    fill(draft, 'type', 'Opaque');
    const written = Object.entries(textMapAt(draft, 'stringData'));
    delete draft['stringData'];
    if (written.length === 0) return;
    const data = fillObject(draft, 'data');
    for (const [key, value] of written) data[key] = base64OfText(value);
  },
  check(object, old) {
    return [
      ...(old === undefined ? [] : immutable('type', object['type'], old['type'])),
      ...checkKeys(object, 'data'),
      ...checkBase64(object, 'data'),
      ...checkSize('data', decodedBytes(object, 'data')),
      ...checkType(object),
      ...checkImmutable(object, old, ['data']),
    ];
  },
};

function checkType(object: JsonObject): readonly FieldError[] {
  switch (textAt(object, 'type')) {
    case 'kubernetes.io/service-account-token':
      return textAt(object, 'metadata', 'annotations', 'kubernetes.io/service-account.name') === ''
        ? [required('metadata.annotations[kubernetes.io/service-account.name]')]
        : [];
    case 'kubernetes.io/dockercfg':
      return checkDockerConfig(object, DOCKER_CONFIG);
    case 'kubernetes.io/dockerconfigjson':
      return checkDockerConfig(object, DOCKER_CONFIG_JSON);
    case 'kubernetes.io/basic-auth':
      return hasAny(object, ['username', 'password'])
        ? []
        : [required('data[username]'), required('data[password]')];
    case 'kubernetes.io/ssh-auth':
      return hasAny(object, ['ssh-privatekey']) ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return ['tls.crt', 'tls.key']
        .filter((key) => !hasAny(object, [key]))
        .map((key) => required(`data[${key}]`));
    default:
      return [];
  }
}

function hasAny(object: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(fieldsAt(object, 'data'), key));
}

function checkDockerConfig(object: JsonObject, key: string): readonly FieldError[] {
  const field = `data[${key}]`;
  const data = textMapAt(object, 'data');
  if (!Object.hasOwn(data, key)) return [required(field)];
  try {
    JSON.parse(textOfBase64(data[key] ?? ''));
    return [];
  } catch {
    // The parser's own message would reveal parts of the secret.
    return [invalid(field, '<secret contents redacted>', 'must be JSON')];
  }
}

/** The kind ConfigMap: texts in `data`, bytes in `binaryData`. */
export const configMap: KindSpec = {
  ...inNamespace('v1', 'ConfigMap', 'cm'),
  columns: [
    NAME,
    text('Data', (object) => {
      const keys = [fieldsAt(object, 'data'), fieldsAt(object, 'binaryData')].map(Object.keys);
      return keys.flat().length;
    }),
    AGE,
  ],
  check(object, old) {
    const binary = fieldsAt(object, 'binaryData');
    const twice = Object.keys(fieldsAt(object, 'data')).filter((key) => Object.hasOwn(binary, key));
    return [
      ...checkKeys(object, 'data'),
      ...twice.map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
      ...checkKeys(object, 'binaryData'),
      ...checkBase64(object, 'binaryData'),
      // A real server names no field in this error, because it adds up both fields.
      ...checkSize('[]', textBytes(object, 'data') + decodedBytes(object, 'binaryData')),
      ...checkImmutable(object, old, ['data', 'binaryData']),
    ];
  },
};
