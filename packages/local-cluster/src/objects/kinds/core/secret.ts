/** Secrets: bytes in base64, typed by what must be in them. `stringData` is only ever written. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid, required } from '../../field-errors.ts';
import { immutable } from '../checks.ts';
import { AGE, NAME, text, textField } from '../columns.ts';
import {
  fieldsAt,
  fill,
  fillObject,
  textAt,
  textMapAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkBase64, checkImmutable, checkKeys, checkSize, decodedBytes } from './data-checks.ts';
import { base64OfText, textOfBase64 } from './base64.ts';

const DOCKER_CONFIG = '.dockercfg';
const DOCKER_CONFIG_JSON = '.dockerconfigjson';

export const secret: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
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
    // The parser's own message would quote the secret.
    return [invalid(field, '<secret contents redacted>', 'must be JSON')];
  }
}
