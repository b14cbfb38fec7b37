/** Checks the variables of a container: their names, and exactly one source for each without a value. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid, invalidEach, notSupported, required } from '../../field-errors.ts';
import { configKey, dnsSubdomain, environmentName } from '../../metadata-names.ts';
import { requiredTexts } from '../checks.ts';
import { fieldsAt, objectAt, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const POD_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Field labels that are valid in field selectors, but not as a source of a variable. */
const OTHER_FIELDS = [
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.nominatedNodeName',
  'status.phase',
];
const KEYED_FIELD = /^metadata\.(?:labels|annotations)\['.+'\]$/;

export function checkEnvironment(container: JsonObject, field: string): readonly FieldError[] {
  return [
    ...objectsAt(container, 'env').flatMap((variable, index) =>
      checkVariable(variable, `${field}.env[${index}]`),
    ),
    ...objectsAt(container, 'envFrom').flatMap((source, index) =>
      checkEnvFrom(source, `${field}.envFrom`, index),
    ),
  ];
}

function checkVariable(variable: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(variable, 'name');
  return [
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, environmentName(name))),
    ...checkValueFrom(variable, `${field}.valueFrom`),
  ];
}

function checkValueFrom(variable: JsonObject, field: string): readonly FieldError[] {
  const source = objectAt(variable, 'valueFrom');
  if (source === undefined) return [];
  const given = SOURCES.filter((name) => objectAt(source, name) !== undefined);
  if (given.length === 0) {
    return [
      invalid(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    ];
  }
  return [
    ...given.flatMap((name) => checkSource(fieldsAt(source, name), `${field}.${name}`, name)),
    ...(textAt(variable, 'value') === ''
      ? []
      : [invalid(field, '', 'may not be specified when `value` is not empty')]),
    ...(given.length > 1
      ? [invalid(field, '', 'may not have more than one field specified at a time')]
      : []),
  ];
}

function checkSource(source: JsonObject, field: string, kind: string): readonly FieldError[] {
  switch (kind) {
    case 'fieldRef':
      return checkFieldReference(source, field);
    case 'resourceFieldRef':
      return requiredTexts(source, field, ['resource']);
    default:
      return checkKeyReference(source, field);
  }
}

function checkKeyReference(source: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(source, 'name');
  const key = textAt(source, 'key');
  return [
    ...invalidEach(`${field}.name`, name, dnsSubdomain(name)),
    ...(key === '' ? [required(`${field}.key`)] : invalidEach(`${field}.key`, key, configKey(key))),
  ];
}

function checkFieldReference(source: JsonObject, field: string): readonly FieldError[] {
  const path = textAt(source, 'fieldPath');
  if (path === '') return [required(`${field}.fieldPath`)];
  if (POD_FIELDS.includes(path) || KEYED_FIELD.test(path)) return [];
  if (OTHER_FIELDS.includes(path)) {
    return [notSupported(`${field}.fieldPath`, path, POD_FIELDS)];
  }
  return [
    invalid(
      `${field}.fieldPath`,
      path,
      `error converting fieldPath: field label not supported: ${path}`,
    ),
  ];
}

/** As on the server, errors about the number of sources name the list, and errors in a source name the item. */
function checkEnvFrom(source: JsonObject, list: string, index: number): readonly FieldError[] {
  const field = `${list}[${index}]`;
  const prefix = textAt(source, 'prefix');
  const given = ['configMapRef', 'secretRef'].filter(
    (name) => objectAt(source, name) !== undefined,
  );
  return [
    ...invalidEach(`${field}.prefix`, prefix, environmentName(prefix)),
    ...given.flatMap((name) => requiredTexts(fieldsAt(source, name), `${field}.${name}`, ['name'])),
    ...(given.length === 0
      ? [invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`')]
      : []),
    ...(given.length > 1
      ? [invalid(list, '', 'may not have more than one field specified at a time')]
      : []),
  ];
}
