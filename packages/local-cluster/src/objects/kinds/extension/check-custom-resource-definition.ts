/** Checks a CustomResourceDefinition, except its schemas. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid, invalidEach, required } from '../../field-errors.ts';
import { dnsSubdomain, serviceName } from '../../metadata-names.ts';
import { jsonEqual } from '../../patch/json-value.ts';
import { duplicates, immutable, oneOf } from '../checks.ts';
import {
  fieldsAt,
  isTrue,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../../../src/kube/fields.ts';

const KIND_FORM = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i;
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

export function checkCustomResourceDefinition(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  return [
    ...checkOwnName(object, spec),
    ...checkGroup(textAt(spec, 'group')),
    ...oneOf('spec.scope', textAt(spec, 'scope'), ['Cluster', 'Namespaced']),
    ...checkVersions(objectsAt(spec, 'versions')),
    ...checkNames(fieldsAt(spec, 'names')),
    ...checkStoredVersions(object),
    ...(old === undefined ? [] : checkUpdate(spec, old)),
  ];
}

function checkOwnName(object: JsonObject, spec: JsonObject): readonly FieldError[] {
  const name = textAt(object, 'metadata', 'name');
  const wanted = `${textAt(spec, 'names', 'plural')}.${textAt(spec, 'group')}`;
  return name === wanted
    ? []
    : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function checkGroup(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const faults = dnsSubdomain(group);
  if (faults.length > 0) return invalidEach('spec.group', group, faults);
  return group.includes('.')
    ? []
    : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function checkVersions(versions: readonly JsonObject[]): readonly FieldError[] {
  const field = 'spec.versions';
  const stored = versions.filter((version) => isTrue(version, 'storage'));
  return [
    ...(stored.length !== 1
      ? [invalid(field, [...versions], 'must have exactly one version marked as storage version')]
      : []),
    ...versions.flatMap((version, index) => checkVersion(version, `${field}[${index}]`)),
    ...inVersions(versions, 'additionalPrinterColumns').flatMap(({ version, at }) =>
      objectsAt(version, 'additionalPrinterColumns').flatMap((column, index) =>
        checkColumn(column, `${at}[${index}]`),
      ),
    ),
    ...inVersions(versions, 'subresources').flatMap(({ version, at }) =>
      checkScale(objectAt(version, 'subresources', 'scale'), `${at}.scale`),
    ),
    ...duplicates(
      versions,
      (version) => textAt(version, 'name'),
      (index) => `${field}[${index}].name`,
    ),
  ];
}

/** As in a real server, a part that is equal in all versions is checked once, with a path without a version. */
function inVersions(
  versions: readonly JsonObject[],
  name: string,
): readonly { readonly version: JsonObject; readonly at: string }[] {
  const [first] = versions;
  if (first === undefined) return [];
  if (versions.every((version) => jsonEqual(version[name], first[name]))) {
    return [{ version: first, at: `spec.${name}` }];
  }
  return versions.map((version, index) => ({ version, at: `spec.versions[${index}].${name}` }));
}

function checkVersion(version: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(version, 'name');
  return [
    ...invalidEach(`${field}.name`, name, serviceName(name)),
    ...(objectAt(version, 'schema', 'openAPIV3Schema') === undefined
      ? [required(`${field}.schema.openAPIV3Schema`)]
      : []),
  ];
}

function checkColumn(column: JsonObject, field: string): readonly FieldError[] {
  const path = textAt(column, 'jsonPath');
  return [
    ...(textAt(column, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(textAt(column, 'type') === ''
      ? [required(`${field}.type`, `must be one of ${COLUMN_TYPES.join(',')}`)]
      : checkColumnType(textAt(column, 'type'), `${field}.type`)),
    ...(path === '' ? [required(`${field}.JSONPath`)] : checkPath(path, `${field}.JSONPath`)),
  ];
}

function checkColumnType(type: string, field: string): readonly FieldError[] {
  return COLUMN_TYPES.includes(type)
    ? []
    : [invalid(field, type, `must be one of ${COLUMN_TYPES.join(',')}`)];
}

function checkScale(scale: JsonObject | undefined, field: string): readonly FieldError[] {
  if (scale === undefined) return [];
  return ['specReplicasPath', 'statusReplicasPath'].flatMap((name) => {
    const path = textAt(scale, name);
    return path === '' ? [required(`${field}.${name}`)] : checkPath(path, `${field}.${name}`);
  });
}

function checkPath(path: string, field: string): readonly FieldError[] {
  return path.startsWith('.')
    ? []
    : [invalid(field, path, 'must be a simple json path starting with .')];
}

function checkNames(names: JsonObject): readonly FieldError[] {
  const field = 'spec.names';
  const kinds = ['kind', 'listKind'];
  return [
    ...['plural', 'singular'].flatMap((name) => {
      const value = textAt(names, name);
      return value === ''
        ? [required(`${field}.${name}`)]
        : invalidEach(`${field}.${name}`, value, serviceName(value));
    }),
    ...kinds.flatMap((name) => checkKind(textAt(names, name), `${field}.${name}`)),
    ...(textAt(names, 'kind') !== '' && names['kind'] === names['listKind']
      ? [invalid(`${field}.listKind`, names['listKind'], 'kind and listKind may not be the same')]
      : []),
    ...['shortNames', 'categories'].flatMap((list) =>
      textsAt(names, list).flatMap((name, index) =>
        invalidEach(`${field}.${list}[${index}]`, name, serviceName(name)),
      ),
    ),
  ];
}

function checkKind(kind: string, field: string): readonly FieldError[] {
  if (kind === '') return [required(field)];
  return KIND_FORM.test(kind)
    ? []
    : [
        invalid(
          field,
          kind,
          `may have mixed case, but should otherwise match: ${serviceName('-')[0] ?? ''}`,
        ),
      ];
}

/** Stored objects of a removed version could no longer be read. */
function checkStoredVersions(object: JsonObject): readonly FieldError[] {
  const names = objectsAt(object, 'spec', 'versions').map((version) => textAt(version, 'name'));
  const storedVersions = textsAt(object, 'status', 'storedVersions');
  if (storedVersions.length === 0 && objectsAt(object, 'spec', 'versions').length === 0) {
    return [invalid('status.storedVersions', null, 'must have at least one stored version')];
  }
  return storedVersions.flatMap((stored, index) =>
    names.includes(stored)
      ? []
      : [invalid(`status.storedVersions[${index}]`, stored, 'must appear in spec.versions')],
  );
}

/** Group and plural never change; scope and kind do not change once the kind is established. */
function checkUpdate(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const established = objectsAt(old, 'status', 'conditions').some(
    (condition) =>
      textAt(condition, 'type') === 'Established' && textAt(condition, 'status') === 'True',
  );
  const before = fieldsAt(old, 'spec');
  return [
    ...immutable('spec.group', spec['group'], before['group']),
    ...immutable(
      'spec.names.plural',
      textAt(spec, 'names', 'plural'),
      textAt(before, 'names', 'plural'),
    ),
    ...(established
      ? [
          ...immutable('spec.scope', spec['scope'], before['scope']),
          ...immutable(
            'spec.names.kind',
            textAt(spec, 'names', 'kind'),
            textAt(before, 'names', 'kind'),
          ),
        ]
      : []),
  ];
}
