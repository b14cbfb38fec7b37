/**
 * One request of a client, within one deadline that includes its retries and their waits. The request is retried only
 * if the server certainly did not act on it. Either the server said so (429 or 503 with Retry-After), or there was no
 * connection.
 */
import type { TransportRequest } from '../platform/http-transport.ts';
import type { CancelSignal, Timers } from '../platform/platform.ts';
import { codeOf } from '../platform/posix-error.ts';
import { sleep, backoffMs } from '../platform/sleep.ts';
import { errorOfAnswer } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import type { CallOptions, KubeConnection } from './client.ts';
import { sendOnce, type WholeAnswer } from './send-request.ts';

export interface UnaryRequest extends CallOptions {
  readonly method: TransportRequest['method'];
  readonly path: string;
  /** The body, which is sent as JSON; undefined: no body. */
  readonly body?: unknown;
  /** Content type of the body; absent: application/json. */
  readonly contentType?: string | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export const MAX_TRIES = 5;

const BACKOFF = { firstMs: 100, maxMs: 5_000 };

/** Resolves with a successful answer; everything else rejects with `ApiError` or `UnreachableError`. */
export async function sendRequest(
  connection: KubeConnection,
  request: UnaryRequest,
): Promise<WholeAnswer> {
  const { clock, timers } = connection.platform;
  const timeoutMs = request.timeoutMs ?? connection.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadlineAtMs = clock.monotonicMs() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      const leftMs = deadlineAtMs - clock.monotonicMs();
      return await tryOnce(connection, request, leftMs);
    } catch (error) {
      const waitMs = tries < MAX_TRIES ? retryInMs(error, tries, connection) : null;
      if (waitMs === null || clock.monotonicMs() + waitMs >= deadlineAtMs) throw error;
      await sleep(timers, waitMs, request.signal);
    }
  }
}

async function tryOnce(
  connection: KubeConnection,
  request: UnaryRequest,
  timeoutMs: number,
): Promise<WholeAnswer> {
  const { method, path, signal } = request;
  const limits = { timers: connection.platform.timers, what: `${method} ${path}`, timeoutMs };
  const answer = await withinLimits(signal === undefined ? limits : { ...limits, signal }, (stop) =>
    sendOnce(connection, { method, path, ...payloadOf(request), signal: stop }),
  );
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw errorOfAnswer(answer);
}

function payloadOf({
  body,
  contentType = 'application/json',
}: UnaryRequest): Pick<TransportRequest, 'headers' | 'body'> {
  if (body === undefined) return { headers: {} };
  return { headers: { 'content-type': contentType }, body: JSON.stringify(body) };
}

/** Errors of a connection that a retry cannot resolve: no credentials, a TLS failure, an unknown host. */
const FINAL: ReadonlySet<string> = new Set(['EACCES', 'EPROTO', 'ENOTFOUND', 'EADDRNOTAVAIL']);

/** Milliseconds until the retry; null: the error is final. */
function retryInMs(error: unknown, tries: number, { random }: KubeConnection): number | null {
  const ownMs = backoffMs(tries, BACKOFF, random());
  if (error instanceof ApiError) {
    const refused = error.code === 429 || error.code === 503;
    if (!refused || error.retryAfterSeconds === null) return null;
    // Waits longer than the server asks, with jitter, so that refused clients do not return at the same time.
    return error.retryAfterSeconds * 1000 + ownMs;
  }
  if (!(error instanceof UnreachableError) || error.sent) return null;
  // An error without a cause: the call was cancelled before it began.
  const code = codeOf(error.cause);
  return code === null || FINAL.has(code) ? null : ownMs;
}

export interface Limits {
  readonly timers: Timers;
  /** The request, for the message: "GET /version". */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal?: CancelSignal;
}

/**
 * Settles with the work, or rejects at the deadline or on the signal, however the work reacts to the abort. If the
 * signal is already aborted, the work does not start.
 */
async function withinLimits<T>(
  { timers, what, timeoutMs, signal }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) {
    throw new UnreachableError(`${what}: it was cancelled before it began`, { sent: false });
  }
  const controller = new AbortController();
  let release = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (why: string): void => {
      reject(new UnreachableError(`${what}: ${why}`, { sent: true }));
      controller.abort();
    };
    const cancel = (): void => {
      stop('it was cancelled');
    };
    const callOff = timers.after(timeoutMs, () => {
      stop(`no complete answer within ${Math.round(timeoutMs)} ms`);
    });
    signal?.addEventListener('abort', cancel);
    release = (): void => {
      callOff();
      signal?.removeEventListener('abort', cancel);
    };
  });
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    release();
  }
}
