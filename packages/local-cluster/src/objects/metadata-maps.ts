/** Validates labels, annotations and finalizers, of objects and of their templates. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { FieldError } from './field-error.ts';
import { forbidden, invalid, invalidEach, tooLong } from './field-errors.ts';
import { labelText, qualifiedName } from './metadata-names.ts';

const ANNOTATIONS_BYTES_MAX = 256 * 1024;
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const PLAIN_FINALIZERS = [ORPHAN, FOREGROUND, 'kubernetes'];

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

export function validateFinalizers(
  finalizers: readonly string[],
  field: string,
): readonly FieldError[] {
  const both = finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND);
  return [
    ...finalizers.flatMap((name) => invalidEach(field, name, qualifiedName(name))),
    ...(both ? [forbidden(field, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`)] : []),
  ];
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
