import type { Json } from '../../../../src/kube/object.ts';

/** One error in an object, in the text of a real API server. */
export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Forbidden'
    | 'Duplicate'
    | 'NotFound'
    | 'TooLong'
    | 'TooMany'
    | 'TypeInvalid'
    | 'InternalError';
  /** Example: `spec.containers[0].lifecycle.preStop` */
  readonly field: string;
  /** The received value; absent if the server does not repeat it (Required, Forbidden). */
  readonly value?: Json;
  readonly detail: string;
  /** A real server accepts the value; the local cluster does not support it. */
  readonly isOnlyHere?: true;
}

/** Creates the errors that the validation of every kind reports, in the server's text. */
export const NOT_NEGATIVE = 'must be greater than or equal to 0';
export const IMMUTABLE = 'field is immutable';

type Value = Json | undefined;

export function required(field: string, detail = ''): FieldError {
  return { type: 'Required', field, detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail };
}

export function invalid(field: string, value: Value, detail: string): FieldError {
  return { type: 'Invalid', field, value: value ?? null, detail };
}

export function duplicate(field: string, value: Value): FieldError {
  return { type: 'Duplicate', field, value: value ?? null, detail: '' };
}

export function notFound(field: string, value: Value): FieldError {
  return { type: 'NotFound', field, value: value ?? null, detail: '' };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  return { type: 'TooLong', field, detail: `must have at most ${maxBytes} bytes` };
}

export function notSupported(
  field: string,
  value: Value,
  supported: readonly string[],
): FieldError {
  const names = supported.map((name) => JSON.stringify(name)).join(', ');
  return {
    type: 'NotSupported',
    field,
    value: value ?? null,
    detail: `supported values: ${names}`,
  };
}

/** One error for each message of a rule about a value. */
export function invalidEach(
  field: string,
  value: Value,
  faults: readonly string[],
): readonly FieldError[] {
  return faults.map((fault) => invalid(field, value, fault));
}
