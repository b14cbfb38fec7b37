/**
 * One request of a client, within one deadline that covers its retries and the waits between them.
 * Retried is only what the server certainly did not act on: it said so (429 or 503 and how long to
 * wait), or there was no connection.
 */
import type { TransportRequest } from '../platform/http-transport.ts';
import type { CancelSignal, Timers } from '../platform/platform.ts';
import { codeOf } from '../platform/posix-error.ts';
import { sleep } from '../platform/sleep.ts';
import { errorOfAnswer } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { backoffMs } from './backoff.ts';
import type { CallOptions, KubeConnection } from './client.ts';
import { sendOnce, type WholeAnswer } from './send-request.ts';

export interface UnaryRequest extends CallOptions {
  readonly method: TransportRequest['method'];
  readonly path: string;
  /** Becomes JSON; undefined: no body. */
  readonly body?: unknown;
  /** Absent: application/json. */
  readonly contentType?: string | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export const MAX_TRIES = 5;

const BACKOFF = { firstMs: 100, maxMs: 5_000 };

/** Resolves with an answer of success; everything else rejects with `ApiError` or `UnreachableError`. */
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

/** No connection for a reason that the next try would meet again: no credentials, TLS said no, no such name. */
const FINAL: ReadonlySet<string> = new Set(['EACCES', 'EPROTO', 'ENOTFOUND', 'EADDRNOTAVAIL']);

/** Null: it is final. */
function retryInMs(error: unknown, tries: number, { random }: KubeConnection): number | null {
  const ownMs = backoffMs(tries, BACKOFF, random());
  if (error instanceof ApiError) {
    const refused = error.code === 429 || error.code === 503;
    if (!refused || error.retryAfterSeconds === null) return null;
    // Later than asked for and spread, so that all who were refused do not come back at once.
    return error.retryAfterSeconds * 1000 + ownMs;
  }
  if (!(error instanceof UnreachableError) || error.sent) return null;
  // Without a cause it is a call that was called off before it began.
  const code = codeOf(error.cause);
  return code === null || FINAL.has(code) ? null : ownMs;
}

export interface Limits {
  readonly timers: Timers;
  /** What is done, for the message: "GET /version". */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal?: CancelSignal;
}

/**
 * Settles with the work, or rejects as soon as the deadline or the signal says so, whatever the work
 * makes of the abort that it is then given. What was called off before is not begun.
 */
async function withinLimits<T>(
  { timers, what, timeoutMs, signal }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) {
    throw new UnreachableError(`${what}: it was called off before it began`, { sent: false });
  }
  const controller = new AbortController();
  let release = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (why: string): void => {
      reject(new UnreachableError(`${what}: ${why}`, { sent: true }));
      controller.abort();
    };
    const cancel = (): void => {
      stop('it was called off');
    };
    const callOff = timers.after(timeoutMs, () => {
      stop(`no whole answer within ${Math.round(timeoutMs)} ms`);
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
