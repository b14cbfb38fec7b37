import type { Json } from './object.ts';

/** A `Status` object, the answer of a server to a failed request. */
export interface Status {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly {
    readonly reason?: string;
    readonly message?: string;
    readonly field?: string;
  }[];
  readonly [more: string]: Json | undefined | object;
}

/**
 * An unsuccessful answer of the server. `reason` says what it means for the caller: "NotFound", "AlreadyExists",
 * "Conflict", "Expired", "Invalid", "Forbidden", "TooManyRequests"…
 */
export class ApiError extends Error {
  /** The HTTP status code. */
  readonly code: number;
  /** '' if the server gave none. */
  readonly reason: string;
  readonly status: Status;
  /** Seconds that the server asks to wait before a retry; null: none. */
  readonly retryAfterSeconds: number | null;

  constructor(code: number, status: Status, retryAfterSeconds: number | null = null) {
    super(status.message ?? `the API server answered ${code}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = status.reason ?? '';
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The log of a container that its node has removed. The node reports that with code 200, as a line without a time; this
 * is the answer that the request should have had.
 */
export class LostLogError extends ApiError {
  constructor(pod: string) {
    super(410, { code: 410, reason: 'Gone', message: `the node of ${pod} has removed this log` });
    this.name = 'LostLogError';
  }
}

/**
 * No answer, or an answer that is not from an API server. `sent`: the request may have taken effect, so the outcome of
 * a write is unknown.
 */
export class UnreachableError extends Error {
  readonly sent: boolean;

  constructor(message: string, options: { readonly sent: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'UnreachableError';
    this.sent = options.sent;
  }
}

export function isReason(error: unknown, ...reasons: readonly string[]): error is ApiError {
  return error instanceof ApiError && reasons.includes(error.reason);
}

/** API servers use these words if a quota refuses an object. */
const QUOTA = 'exceeded quota';

/** Whether a quota refused an object. The same request may succeed later. */
export function isQuotaRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 403 && error.message.includes(QUOTA);
}

/** Waits for a request. null: the server refused it for one of these reasons. Every other failure rejects. */
export async function orNull<T>(
  asked: Promise<T>,
  ...reasons: readonly string[]
): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isReason(error, ...reasons)) return null;
    throw error;
  }
}

/** Whether a patch was refused because it named the UID of an object, and the name now belongs to another object. */
export function isOtherObject(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { causes = [] } = error.status.details ?? {};
  return causes.some(({ field }) => field === 'metadata.uid');
}

/** Whether a create was refused because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { causes = [] } = error.status.details ?? {};
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
