/** Validates the metadata of every kind, after the server has set name, uid and times. */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import {
  type FieldError,
  forbidden,
  IMMUTABLE,
  invalid,
  invalidEach,
  required,
  tooLong,
} from './field-error.ts';
import {
  dnsLabel,
  dnsSubdomain,
  labelText,
  type NameRule,
  qualifiedName,
} from './metadata-names.ts';
import {
  at,
  fieldsAt,
  isTrue,
  numberAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../src/kube/fields.ts';
import { sameMeaning } from './kinds/field-checks.ts';

export interface MetadataToValidate {
  readonly object: JsonObject;
  /** Stored object; absent on create. */
  readonly old?: JsonObject;
  readonly namespaced: boolean;
  /** Syntax of names, from the resource's definition; default: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** True if finalizers need no domain, from the resource's definition. */
  readonly plainFinalizers?: boolean;
}

const MANAGER_BYTES_MAX = 128;
const IMMUTABLE_FIELDS = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

export function validateMetadata(options: MetadataToValidate): readonly FieldError[] {
  const metadata = fieldsAt(options.object, 'metadata');
  const own =
    options.old === undefined
      ? onCreate(metadata, options)
      : onUpdate(metadata, fieldsAt(options.old, 'metadata'));
  return [
    ...own,
    ...validateLabels(fieldsAt(metadata, 'labels'), 'metadata.labels'),
    ...validateAnnotations(fieldsAt(metadata, 'annotations'), 'metadata.annotations'),
    ...ownerFaults(objectsAt(metadata, 'ownerReferences')),
    ...(options.old === undefined ? finalizerFaults(metadata, options) : []),
    ...managerFaults(objectsAt(metadata, 'managedFields')),
  ];
}

function onCreate(metadata: JsonObject, options: MetadataToValidate): FieldError[] {
  const { nameRule = dnsSubdomain } = options;
  const generateName = textAt(metadata, 'generateName');
  const name = textAt(metadata, 'name');
  return [
    ...invalidEach(
      'metadata.generateName',
      generateName,
      generateName === '' ? [] : nameRule(masked(generateName)),
    ),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : invalidEach('metadata.name', name, nameRule(name))),
    ...namespaceFaults(textAt(metadata, 'namespace'), options.namespaced),
  ];
}

/** The text to validate in place of a prefix: a dash at its end is valid, because a suffix follows it. */
function masked(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

function namespaceFaults(namespace: string, namespaced: boolean): readonly FieldError[] {
  const field = 'metadata.namespace';
  if (!namespaced) return namespace === '' ? [] : [forbidden(field, 'not allowed on this type')];
  if (namespace === '') return [required(field)];
  return invalidEach(field, namespace, dnsLabel(namespace));
}

function onUpdate(metadata: JsonObject, old: JsonObject): FieldError[] {
  const generation = numberAt(metadata, 'generation') ?? 0;
  return [
    ...(at(old, 'deletionTimestamp') === undefined ? [] : newFinalizers(metadata, old)),
    ...(textAt(metadata, 'resourceVersion') === ''
      ? [invalid('metadata.resourceVersion', '', 'must be specified for an update')]
      : []),
    ...(generation < (numberAt(old, 'generation') ?? 0)
      ? [invalid('metadata.generation', generation, 'must not be decremented')]
      : []),
    ...IMMUTABLE_FIELDS.filter((field) => !sameMeaning(metadata[field], old[field])).map((field) =>
      invalid(`metadata.${field}`, metadata[field], IMMUTABLE),
    ),
  ];
}

function finalizerFaults(
  metadata: JsonObject,
  { plainFinalizers = false }: MetadataToValidate,
): FieldError[] {
  const field = 'metadata.finalizers';
  const names = textsAt(metadata, 'finalizers');
  return [
    ...validateFinalizers(names, field),
    ...(plainFinalizers
      ? []
      : names.flatMap((name, index) => validateFinalizerDomain(name, `${field}[${index}]`))),
  ];
}

function newFinalizers(metadata: JsonObject, old: JsonObject): FieldError[] {
  const before = textsAt(old, 'finalizers');
  const added = textsAt(metadata, 'finalizers').filter((name) => !before.includes(name));
  if (added.length === 0) return [];
  const list = added.map((name) => JSON.stringify(name)).join(', ');
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
}

function ownerFaults(owners: readonly JsonObject[]): FieldError[] {
  const controllers = owners
    .filter((owner) => isTrue(owner, 'controller'))
    .map((owner) => textAt(owner, 'name'));
  const field = 'metadata.ownerReferences';
  const several = controllers
    .slice(1)
    .map((name) =>
      invalid(
        field,
        [...owners],
        `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0] ?? ''} and ${name}`,
      ),
    );
  return [...owners.flatMap((owner, index) => oneOwner(owner, `${field}[${index}]`)), ...several];
}

function oneOwner(owner: JsonObject, field: string): FieldError[] {
  const apiVersion = textAt(owner, 'apiVersion');
  const missing = ['kind', 'name', 'uid'].filter((name) => textAt(owner, name) === '');
  return [
    ...(apiVersion === '' || apiVersion.split('/').length > 2 || apiVersion.endsWith('/')
      ? [invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty')]
      : []),
    ...missing.map((name) => required(`${field}.${name}`, 'must not be empty')),
    ...(apiVersion === 'v1' && textAt(owner, 'kind') === 'Event'
      ? [invalid(field, owner, '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ];
}

function managerFaults(entries: readonly JsonObject[]): FieldError[] {
  return entries.flatMap((entry, index) => {
    const field = `metadata.managedFields[${index}]`;
    const operation: Json = textAt(entry, 'operation');
    return [
      ...(operation === 'Apply' || operation === 'Update'
        ? []
        : [invalid(`${field}.operation`, operation, 'must be `Apply` or `Update`')]),
      ...(['', 'FieldsV1'].includes(textAt(entry, 'fieldsType'))
        ? []
        : [invalid(`${field}.fieldsType`, textAt(entry, 'fieldsType'), 'must be `FieldsV1`')]),
      ...(utf8Bytes(textAt(entry, 'manager')) > MANAGER_BYTES_MAX
        ? [tooLong(`${field}.manager`, MANAGER_BYTES_MAX)]
        : []),
    ];
  });
}

const ANNOTATIONS_BYTES_MAX = 256 * 1024;
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const PLAIN_FINALIZERS = [ORPHAN, FOREGROUND, 'kubernetes'];

/** Validates labels, annotations and finalizers, of objects and of their templates. */
export function validateLabels(labels: JsonObject, field: string): readonly FieldError[] {
  return Object.entries(labels).flatMap(([name, value]) => [
    ...invalidEach(field, name, qualifiedName(name)),
    ...invalidEach(field, value, labelText(typeof value === 'string' ? value : '')),
  ]);
}

export function validateAnnotations(annotations: JsonObject, field: string): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce(
    (sum, [name, value]) =>
      sum + utf8Bytes(name) + utf8Bytes(typeof value === 'string' ? value : ''),
    0,
  );
  return [
    ...entries.flatMap(([name]) => invalidEach(field, name, qualifiedName(name.toLowerCase()))),
    ...(bytes > ANNOTATIONS_BYTES_MAX ? [tooLong(field, ANNOTATIONS_BYTES_MAX)] : []),
  ];
}

export function validateFinalizerName(name: string, field: string): readonly FieldError[] {
  return [
    ...invalidEach(field, name, qualifiedName(name)),
    ...validateFinalizerDomain(name, field),
  ];
}

/** A finalizer without a domain must be a standard one. */
export function validateFinalizerDomain(name: string, field: string): readonly FieldError[] {
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return name.includes('/') || PLAIN_FINALIZERS.includes(name) ? [] : [invalid(field, name, why)];
}

function validateFinalizers(finalizers: readonly string[], field: string): readonly FieldError[] {
  const both = finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND);
  return [
    ...finalizers.flatMap((name) => invalidEach(field, name, qualifiedName(name))),
    ...(both ? [forbidden(field, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`)] : []),
  ];
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
