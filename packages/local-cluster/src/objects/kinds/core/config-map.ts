/** Configuration as text and bytes. */
import { invalid } from '../../field-errors.ts';
import { AGE, NAME, text } from '../columns.ts';
import { fieldsAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import {
  checkBase64,
  checkImmutable,
  checkKeys,
  checkSize,
  decodedBytes,
  textBytes,
} from './data-checks.ts';

export const configMap: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
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
      // The server names no field, as it counts both.
      ...checkSize('[]', textBytes(object, 'data') + decodedBytes(object, 'binaryData')),
      ...checkImmutable(object, old, ['data', 'binaryData']),
    ];
  },
};
