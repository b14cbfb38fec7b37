/** Checks a CustomResourceDefinition, except its schemas. */
import { fieldsAt, isTrue, objectsAt, textAt, textsAt } from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, invalid } from '../../field-error.ts';
import { dnsSubdomain, serviceName } from '../../metadata-names.ts';
import { jsonEqual } from '../../patch/json-value.ts';
import { immutable, form, invalidIf, needed, oneOf, unique } from '../field-checks.ts';
import { type Check, checkObject, each, fields, inTurn } from '../field-rules.ts';

const KIND_FORM = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i;
const KIND_WORDS = `may have mixed case, but should otherwise match: ${serviceName('-')[0] ?? ''}`;
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const TYPE_WORDS = `must be one of ${COLUMN_TYPES.join(',')}`;

const pathFromDot = invalidIf(
  (path) => !textAt(path).startsWith('.'),
  'must be a simple json path starting with .',
);

const PATH = inTurn([needed(), pathFromDot]);

const COLUMN = fields(
  ['name', needed()],
  [
    'type',
    needed(TYPE_WORDS),
    invalidIf((type) => !COLUMN_TYPES.includes(textAt(type)), TYPE_WORDS),
  ],
  ['', (column, field, place) => PATH(fieldsAt(column)['jsonPath'], `${field}.JSONPath`, place)],
);

const SCALE = fields(['scale', fields(['{specReplicasPath,statusReplicasPath}', PATH])]);

const VERSION = fields(['name', form(serviceName)], ['schema.openAPIV3Schema', needed()]);

const versionList: Check = (value, field, place) => {
  const all = objectsAt(value);
  const stored = all.filter((version) => isTrue(version, 'storage'));
  return [
    ...(stored.length !== 1
      ? [invalid(field, [...all], 'must have exactly one version marked as storage version')]
      : []),
    ...each(VERSION)(value, field, place),
    ...inVersions(all, 'additionalPrinterColumns').flatMap(({ version, at }) =>
      each(COLUMN)(version['additionalPrinterColumns'], at, place),
    ),
    ...inVersions(all, 'subresources').flatMap(({ version, at }) =>
      SCALE(version['subresources'], at, place),
    ),
  ];
};

const NAMES = fields(
  ['{plural,singular}', needed(), form(serviceName)],
  ['{kind,listKind}', needed(), invalidIf((kind) => !KIND_FORM.test(textAt(kind)), KIND_WORDS)],
  [
    'listKind',
    invalidIf(
      (list, { holder }) => textAt(holder, 'kind') !== '' && holder['kind'] === list,
      'kind and listKind may not be the same',
    ),
  ],
  ['{shortNames,categories}[]', form(serviceName)],
);

const isOneLabel = invalidIf(
  (group) => !textAt(group).includes('.'),
  'should be a domain with at least one dot',
);

const SPEC = fields(
  ['group', needed(), form(dnsSubdomain), isOneLabel],
  ['scope', oneOf('Cluster', 'Namespaced')],
  ['versions', versionList],
  ['versions', unique('name')],
  ['names', NAMES],
);

export function checkCustomResourceDefinition(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  const name = textAt(object, 'metadata', 'name');
  const wanted = `${textAt(spec, 'names', 'plural')}.${textAt(spec, 'group')}`;
  return [
    ...(name === wanted
      ? []
      : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...checkObject(SPEC, spec, { field: 'spec', scope: {} }),
    ...checkStoredVersions(object),
    ...(old === undefined ? [] : checkUpdate(spec, old)),
  ];
}

/**
 * The parts to check, each with its path in errors. As in a real server, a part that is equal in all versions is
 * checked once, with a path without a version.
 */
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

/** A version that may still have stored objects must not be removed: the objects could no longer be read. */
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

/** Group and plural can never change. Scope and kind cannot change once the kind is established. */
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
