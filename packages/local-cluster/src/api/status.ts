/**
 * Builds the errors of this server: `Status` objects with the codes, reasons and texts of a real API server.
 *
 * Code that refuses a request throws a `StatusError`. One place turns it into a response.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { type FieldError, invalidMessage, invalidStatus } from '../objects/field-error.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import type { ServerAnswer } from './http.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface FailureDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind, or the plural of the resource: whichever a real server names in this error. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface Failure {
  readonly code: number;
  /** Reason of the Status; '' for a Status without a reason. */
  readonly reason: string;
  readonly message: string;
  readonly details?: FailureDetails;
  /** For an expired page: the token with which the client continues at the latest revision. */
  readonly continueToken?: string;
}

export class StatusError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'StatusError';
    this.failure = failure;
  }
}

/** The resource that an error is about. */
export interface Named {
  readonly group: string;
  readonly plural: string;
}

export type NamedKind = Pick<ResourceDefinition, 'group' | 'kind'> &
  Partial<Pick<ResourceDefinition, 'errorGroup'>>;

export function qualified({ group, plural }: Named): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function notFound(resource: Named, name: string): StatusError {
  return about(resource, name, {
    code: 404,
    reason: 'NotFound',
    message: `${qualified(resource)} "${name}" not found`,
  });
}

export function alreadyExists(resource: Named, name: string, why: string = ''): StatusError {
  return about(resource, name, {
    code: 409,
    reason: 'AlreadyExists',
    message: `${why}${qualified(resource)} "${name}" already exists`,
  });
}

export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function conflict(
  resource: Named,
  name: string,
  why: string = OBJECT_MODIFIED,
): StatusError {
  return about(resource, name, {
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
  });
}

export function forbidden(
  resource: Named,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: readonly StatusCause[] },
): StatusError {
  const what = name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
  const failure = { code: 403, reason: 'Forbidden', message: `${what} is forbidden: ${why}` };
  return about(
    resource,
    name,
    causes === undefined ? failure : { ...failure, details: { causes } },
  );
}

function about({ group, plural }: Named, name: string, failure: Failure): StatusError {
  const details = {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: plural,
    ...failure.details,
  };
  return new StatusError({ ...failure, details });
}

export function invalid(
  { group, errorGroup = group, kind }: NamedKind,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const object = { group: errorGroup, kind, name };
  const { details } = invalidStatus(object, errors);
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: invalidMessage(object, errors),
    details: details as FailureDetails,
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

export function expired(message: string, continueToken?: string): StatusError {
  const failure: Failure = { code: 410, reason: 'Expired', message };
  return new StatusError(continueToken === undefined ? failure : { ...failure, continueToken });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message,
    details: { retryAfterSeconds },
  });
}

export function internalError(why: string): StatusError {
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
  });
}

/** The error for a path of an unknown group or version. */
export function unknownResource(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError({ code: 404, reason: 'NotFound', message, details: {} });
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
}

export function statusOf(failure: Failure): JsonObject {
  const { code, reason, message, details, continueToken } = failure;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details: details as JsonObject }),
    code,
  };
}

export function failureAnswer(failure: Failure): ServerAnswer {
  const wait = failure.details?.retryAfterSeconds;
  return {
    status: failure.code,
    headers: {
      'content-type': 'application/json',
      ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    },
    body: `${JSON.stringify(statusOf(failure))}\n`,
  };
}
