/** Builds the errors of fields, and the texts and the Status that report them. */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';

/** An error of one field. Its text is that of a real API server. */
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
  /** Path of the field, such as `spec.containers[0].lifecycle.preStop`. */
  readonly field: string;
  /** Received value; absent if the server does not repeat it (as in Required and Forbidden). */
  readonly value?: Json;
  readonly detail: string;
  /** Set if a real server accepts the value, but the local cluster does not support it. */
  readonly isOnlyHere?: true;
}

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

/** One error for each message in `faults`. */
export function invalidEach(
  field: string,
  value: Value,
  faults: readonly string[],
): readonly FieldError[] {
  return faults.map((fault) => invalid(field, value, fault));
}

type ErrorType = FieldError['type'];

const WORDS: Readonly<Record<ErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  Duplicate: 'Duplicate value',
  NotFound: 'Not found',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

const REASONS: Readonly<Record<ErrorType, string>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  Duplicate: 'FieldValueDuplicate',
  NotFound: 'FieldValueNotFound',
  TooLong: 'FieldValueTooLong',
  TooMany: 'FieldValueTooMany',
  TypeInvalid: 'FieldValueTypeInvalid',
  InternalError: 'InternalError',
};

const WITHOUT_VALUE: readonly ErrorType[] = ['Required', 'Forbidden', 'TooLong', 'InternalError'];

/** The object that the errors are about: its group, its kind, and its name in the request. */
interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Text of one error, such as `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`;
}

/** Text of all errors, such as `[a, b]`; without brackets for one error. Equal errors appear once. */
export function fieldErrorsMessage(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

/** Message of a Status, such as `Deployment.apps "x" is invalid: [a, b]`. */
export function invalidMessage(object: InvalidObject, errors: readonly FieldError[]): string {
  const { group, kind, name } = object;
  const whose = `${group === '' ? kind : `${kind}.${group}`} ${JSON.stringify(name)}`;
  return `${whose} is invalid: ${fieldErrorsMessage(errors)}`;
}

/** The Status of a response with code 422. */
export function invalidStatus(object: InvalidObject, errors: readonly FieldError[]): JsonObject {
  const { group, kind, name } = object;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: invalidMessage(object, errors),
    reason: 'Invalid',
    details: {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      ...(kind === '' ? {} : { kind }),
      causes: errors.map(cause),
    },
    code: 422,
  };
}

function cause(error: FieldError): JsonObject {
  return { reason: REASONS[error.type], message: errorBody(error), field: error.field };
}

function errorBody(error: FieldError): string {
  const { type, value, detail } = error;
  const shown = WITHOUT_VALUE.includes(type) || value === undefined ? '' : `: ${show(value)}`;
  return `${WORDS[type]}${shown}${detail === '' ? '' : `: ${detail}`}`;
}

/** Quotes a value like Go; for texts in manifests, the quotes of JSON are the same. */
function show(value: Json): string {
  return JSON.stringify(value);
}
