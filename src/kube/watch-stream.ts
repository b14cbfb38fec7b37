/**
 * One watch: a request whose answer is a line of JSON per event, until the server ends it. It rejects
 * with `ApiError` when the server refuses, and with `UnreachableError` when the stream breaks or
 * stalls: the server was asked for an end in time.
 */
import type { CancelSignal } from '../platform/platform.ts';
import { errorOfAnswer } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import type { KubeObject } from './object.ts';
import { parseObject } from './parse-object.ts';
import { readLines } from './read-lines.ts';
import { openAnswer, readText, unreachable } from './send-request.ts';

export interface WatchRequest {
  /** With its query. */
  readonly path: string;
  /** The server was asked to end it before; a watch that is open longer is dead. */
  readonly lastsMs: number;
  readonly signal: CancelSignal;
}

/** As it is on the wire: "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR". */
export interface WireEvent<T extends KubeObject> {
  readonly type?: string;
  readonly object?: T;
}

/** From the request to the answer's head. */
const OPEN_TIMEOUT_MS = 30_000;

/** One event; servers keep objects of up to 3 MiB, and JSON may need more for the same. */
const MAX_EVENT_LENGTH = 16_777_216;

/** Of a refusal's text. */
const MAX_REFUSAL_BYTES = 1_048_576;

export async function* openWatch<T extends KubeObject>(
  connection: KubeConnection,
  request: WatchRequest,
): AsyncGenerator<WireEvent<T>> {
  const { path, lastsMs } = request;
  const stop = watchdog(connection, request);
  try {
    stop.within(OPEN_TIMEOUT_MS, 'no answer');
    const answer = await openAnswer(connection, {
      method: 'GET',
      path,
      headers: {},
      signal: stop.signal,
    });
    if (answer.status !== 200) {
      throw errorOfAnswer({ ...answer, text: await readText(answer.body, MAX_REFUSAL_BYTES) });
    }
    stop.within(lastsMs, 'it is stalled, no end');
    for await (const line of readLines(answer.body, MAX_EVENT_LENGTH)) {
      yield parseObject({ text: line }, `watch ${path}`);
    }
  } catch (error) {
    throw stop.cause() ?? asFailure(error, path);
  } finally {
    stop.release();
  }
}

interface Watchdog {
  readonly signal: AbortSignal;
  /** Aborts unless it is called again, or released, in that time. */
  within(ms: number, what: string): void;
  /** Why it aborted. */
  cause(): UnreachableError | null;
  release(): void;
}

function watchdog(
  { platform: { timers } }: KubeConnection,
  { path, signal }: WatchRequest,
): Watchdog {
  const controller = new AbortController();
  let cause: UnreachableError | null = null;
  let callOff = (): void => undefined;
  const abort = (): void => {
    controller.abort();
  };
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return {
    signal: controller.signal,
    within: (ms, what) => {
      callOff();
      callOff = timers.after(ms, () => {
        cause = new UnreachableError(`watch ${path}: ${what} within ${ms} ms`, { sent: true });
        abort();
      });
    },
    cause: () => cause,
    release: () => {
      callOff();
      signal.removeEventListener('abort', abort);
      abort();
    },
  };
}

function asFailure(error: unknown, path: string): ApiError | UnreachableError {
  if (error instanceof ApiError || error instanceof UnreachableError) return error;
  return unreachable(`watch ${path}`, error, { sent: true });
}
