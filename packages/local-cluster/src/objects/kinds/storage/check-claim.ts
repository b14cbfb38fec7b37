/** Checks a PersistentVolumeClaim. After the create its size may grow, and the binder may set some fields once. */
import { oneOf, sameMeaning } from '../field-checks.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import {
  type FieldError,
  forbidden,
  invalidEach,
  notSupported,
  required,
} from '../../field-error.ts';
import type { Rule } from '../interpret.ts';
import { dnsSubdomain } from '../../metadata-names.ts';
import { compareQuantities, parseQuantity } from '../../../../../../src/kube/quantity.ts';
import { validateSelector } from '../../selector-object.ts';
import { fieldsAt, objectAt, textAt, textsAt } from '../../../../../../src/kube/fields.ts';
import { checkSize } from '../pod/check-resources.ts';

const IMMUTABLE_SPEC =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export const claimRules: readonly Rule[] = [
  (object) => checkSpec(fieldsAt(object, 'spec')),
  ['spec.volumeMode', oneOf('Block', 'Filesystem')],
  (object, old) => (old === undefined ? [] : checkUpdate(fieldsAt(object, 'spec'), old)),
];

function checkSpec(spec: JsonObject): readonly FieldError[] {
  return [
    ...checkAccessModes(spec, 'at least 1 access mode is required'),
    ...validateSelector(fieldsAt(spec, 'selector'), 'spec.selector'),
    ...checkRequest(spec),
    ...checkClass(textAt(spec, 'storageClassName')),
  ];
}

function checkRequest(spec: JsonObject): readonly FieldError[] {
  const size = storageOf(spec);
  if (size === '') return [required('spec.resources[storage]')];
  return checkSize(size, 'spec.resources[storage]');
}

function checkClass(name: string): readonly FieldError[] {
  return invalidEach('spec.storageClassName', name, name === '' ? [] : dnsSubdomain(name));
}

function checkUpdate(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = fieldsAt(old, 'spec');
  const bound = textAt(old, 'status', 'phase') === 'Bound';
  return [
    ...(sameMeaning(comparable(spec, before, bound), before)
      ? []
      : [forbidden('spec', IMMUTABLE_SPEC)]),
    ...(shrinks(spec, before)
      ? [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : []),
  ];
}

/**
 * The new spec, but with the old values of the fields that may change: those the binder sets once, and the size of a
 * bound claim.
 */
function comparable(spec: JsonObject, before: JsonObject, bound: boolean): JsonObject {
  const chosen = [
    ...(textAt(before, 'volumeName') === '' ? ['volumeName'] : []),
    // The class can still be set if no default class existed at the create.
    ...(!bound && before['storageClassName'] === undefined ? ['storageClassName'] : []),
  ];
  const names = [...chosen, ...(bound ? ['resources', 'volumeAttributesClassName'] : [])];
  return { ...spec, ...Object.fromEntries(names.map((name) => [name, before[name] ?? null])) };
}

function shrinks(spec: JsonObject, before: JsonObject): boolean {
  const now = parseQuantity(storageOf(spec));
  const earlier = parseQuantity(storageOf(before));
  return now !== undefined && earlier !== undefined && compareQuantities(now, earlier) < 0;
}

function storageOf(spec: JsonObject): string {
  return textAt(objectAt(spec, 'resources', 'requests'), 'storage');
}

/** Access modes and their short forms, which the column shows as "RWO,ROX". */
const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const ALONE = 'ReadWriteOncePod';

export function shortAccessModes(object: JsonObject, ...path: readonly string[]): string {
  const modes = textsAt(object, ...path);
  return Object.entries(SHORT)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export function checkAccessModes(spec: JsonObject, whenNone = ''): readonly FieldError[] {
  const field = 'spec.accessModes';
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) return [required(field, whenNone)];
  return [
    ...modes
      .filter((mode) => !Object.hasOwn(SHORT, mode))
      .map((mode) => notSupported(field, mode, Object.keys(SHORT).toSorted())),
    ...(modes.includes(ALONE) && modes.length > 1
      ? [forbidden(field, `may not use ${ALONE} with other access modes`)]
      : []),
  ];
}
