/**
 * Converts an unsuccessful answer to an `ApiError`. If the API server answers in plain text (a full queue, an unknown
 * path, a proxy in front of it), the reason is the one of its status code.
 */
import { ApiError, type Status } from './api-error.ts';
import type { WholeAnswer } from './send-request.ts';

export function errorOfAnswer({ status, headers, text }: WholeAnswer): ApiError {
  const told = readStatus(text) ?? plainStatus(status, text);
  const waitSeconds = retryAfterSeconds(headers) ?? told.details?.retryAfterSeconds ?? null;
  return new ApiError(status, told, waitSeconds);
}

/** An error inside a stream, such as a watch's ERROR event. */
export function errorOfStatus(status: Status): ApiError {
  const code = status.code ?? 500;
  const reason = status.reason ?? REASONS[code];
  const whole = reason === undefined ? status : { ...status, reason };
  return new ApiError(code, whole, status.details?.retryAfterSeconds ?? null);
}

/** Whole seconds, as API servers send them; null if absent. */
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

/** The most characters of a plain text in the message. */
const MAX_PLAIN_TEXT = 1024;

function readStatus(text: string): Status | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('kind' in value)) return null;
    return value.kind === 'Status' ? (value as Status) : null;
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
