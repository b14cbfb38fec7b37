/**
 * Formats field errors for an answer: one error, all errors of an object with their causes, and the Status for a
 * request with an invalid object.
 */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import type { FieldError } from './field-error.ts';

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

/** The object of the errors: custom or built in, with the name in the request. */
export interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Example: `spec.replicas: Invalid value: -1: must be greater than or equal to 0` */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`;
}

/** Example: `[a, b]`; without brackets for one error. Equal errors appear once. */
export function fieldErrorsMessage(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

/** Example: `Deployment.apps "x" is invalid: [a, b]` */
export function invalidMessage(object: InvalidObject, errors: readonly FieldError[]): string {
  const { group, kind, name } = object;
  const whose = `${group === '' ? kind : `${kind}.${group}`} ${JSON.stringify(name)}`;
  return `${whose} is invalid: ${fieldErrorsMessage(errors)}`;
}

/** The Status object of a 422 answer. */
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

/** Go's quoting, which is that of JSON for every text that occurs in manifests. */
function show(value: Json): string {
  return JSON.stringify(value);
}
