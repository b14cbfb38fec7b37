/**
 * One watch: a request whose answer has one line of JSON per event, until the server ends it. It rejects with
 * `ApiError` if the server refuses, and with `UnreachableError` if the stream breaks, or outlasts the duration that the
 * request names.
 *
 * A watch list is a watch that begins with the existing objects, as initial events, and a bookmark after them. It
 * rejects with `IncompleteListError` if the bookmark does not arrive in time.
 */
import type { CancelSignal } from '../platform/platform.ts';
import { errorOfAnswer, parseObject } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import type { KubeObject } from './object.ts';
import { openAnswer, readText, unreachable } from './send-request.ts';

export interface WatchRequest {
  /** The path with its query. */
  readonly path: string;
  /** Milliseconds after which an open watch counts as dead: the server should have ended it before. */
  readonly lastsMs: number;
  /** Whether it is a watch list. */
  readonly initialEvents: boolean;
  readonly signal: CancelSignal;
}

/** The server sent no bookmark in time, so it may not support watch lists. */
export class IncompleteListError extends UnreachableError {}

/** The event on the wire: "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR". */
export interface WireEvent<T extends KubeObject> {
  readonly type?: string;
  readonly object?: T | null;
}

/** Milliseconds from the request to the answer's headers. */
const OPEN_TIMEOUT_MS = 30_000;

/** Milliseconds from the headers to the end of the initial events. */
export const INITIAL_EVENTS_MS = 60_000;

/**
 * Maximum length of one event. A server accepts requests of up to 3 MiB, and the object of one may be longer as JSON.
 */
const MAX_EVENT_LENGTH = 16_777_216;

/** Maximum size of the text of a refusal. */
const MAX_REFUSAL_BYTES = 1_048_576;

export async function* openWatch<T extends KubeObject>(
  connection: KubeConnection,
  request: WatchRequest,
): AsyncGenerator<WireEvent<T>> {
  const { path, lastsMs } = request;
  const stop = watchdog(connection, request);
  let isListing = request.initialEvents;
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
    if (isListing) {
      const listMs = Math.min(INITIAL_EVENTS_MS, lastsMs);
      stop.within(listMs, 'the initial events did not end', IncompleteListError);
    } else {
      stop.within(lastsMs, STALLED);
    }
    for await (const line of readLines(answer.body, MAX_EVENT_LENGTH)) {
      const event: WireEvent<T> = parseObject({ text: line }, `watch ${path}`);
      if (isListing && endsInitialEvents(event)) {
        isListing = false;
        stop.within(lastsMs, STALLED);
      }
      yield event;
    }
  } catch (error) {
    throw stop.cause() ?? asFailure(error, path);
  } finally {
    stop.release();
  }
}

const STALLED = 'the stalled watch did not end';

/** Whether this is the bookmark after the initial events; its version is that of the list. */
export function endsInitialEvents({ type, object }: WireEvent<KubeObject>): boolean {
  const annotations = object?.metadata?.annotations ?? {};
  return type === 'BOOKMARK' && annotations['k8s.io/initial-events-end'] === 'true';
}

interface Watchdog {
  readonly signal: AbortSignal;
  /** Aborts after this time, unless `within` is called again or the watchdog is released before. */
  within(ms: number, what: string, kind?: typeof UnreachableError): void;
  /** The reason of the abort; null: the watchdog did not abort. */
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
    within: (ms, what, Kind = UnreachableError) => {
      callOff();
      callOff = timers.after(ms, () => {
        cause = new Kind(`watch ${path}: ${what} within ${ms} ms`, { sent: true });
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

/**
 * Splits a stream of bytes into lines, one at a time. Rejects if the stream ends within a line, which means that it was
 * truncated, and for a line beyond the limit. Empty lines are skipped.
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const line = parts.length === 0 ? piece : `${parts.join('')}${piece}`;
      checkLength(line.length, maxLength);
      parts = [];
      length = 0;
      if (line !== '') yield line;
    }
    // The pieces are joined only when the line is complete, so that not every chunk copies a long line.
    if (rest !== '') parts.push(rest);
    length += rest.length;
    checkLength(length, maxLength);
  }
  if (length > 0) throw new Error('the stream ended within a line');
}

function checkLength(length: number, maxLength: number): void {
  if (length > maxLength) throw new Error(`a line is longer than ${maxLength} characters`);
}
