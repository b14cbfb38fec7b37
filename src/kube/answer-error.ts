/**
 * Converts an unsuccessful answer to an `ApiError`. An answer in plain text (a full queue, an unknown path, a proxy in
 * front of the server) gets the reason of its status code. A successful answer has to be an object.
 */
import { ApiError, type Status, UnreachableError } from './api-error.ts';
import { isObject } from './fields.ts';
import type { WholeAnswer } from './send-request.ts';

export function errorOfAnswer({ status, headers, text }: WholeAnswer): ApiError {
  const reported = readStatus(text) ?? plainStatus(status, text);
  const waitSeconds = retryAfterSeconds(headers) ?? reported.details?.retryAfterSeconds ?? null;
  return new ApiError(status, reported, waitSeconds);
}

/** The error for a `Status` inside a stream, such as the ERROR event of a watch. */
export function errorOfStatus(status: Status): ApiError {
  const code = status.code ?? 500;
  const reason = status.reason ?? REASONS[code];
  const whole = reason === undefined ? status : { ...status, reason };
  return new ApiError(code, whole, status.details?.retryAfterSeconds ?? null);
}

/** The value of Retry-After in whole seconds, as API servers send it; null: it is absent, or has another form. */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>): number | null {
  const value = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Maximum number of characters of a plain text that a message repeats. */
const MAX_PLAIN_TEXT = 1024;

function readStatus(text: string): Status | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value['kind'] === 'Status' ? value : null;
  } catch {
    return null;
  }
}

function plainStatus(code: number, text: string): Status {
  const shown = text.trim().slice(0, MAX_PLAIN_TEXT);
  return {
    kind: 'Status',
    status: 'Failure',
    code,
    reason: REASONS[code] ?? '',
    message: shown === '' ? `the API server answered ${code}` : `${shown} (HTTP ${code})`,
  };
}

/** The object in a successful answer. Throws for an answer that no API server gives. */
export function parseObject({ text }: Pick<WholeAnswer, 'text'>, what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UnreachableError(`${what}: ${notAnObject(text)}`, { sent: true, cause });
  }
  if (isObject(value)) return value;
  throw new UnreachableError(`${what}: ${notAnObject(text)}`, { sent: true });
}

/** Maximum number of characters of an unexpected answer that a message repeats. */
const MAX_SHOWN = 80;

function notAnObject(text: string): string {
  return `the answer is not a JSON object: it begins with ${JSON.stringify(text.slice(0, MAX_SHOWN))}`;
}
