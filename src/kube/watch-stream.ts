/**
 * One watch: a request whose answer is a line of JSON per event, until the server ends it. It rejects
 * with `ApiError` when the server refuses, and with `UnreachableError` when the stream breaks or
 * stalls: the request asks the server to end it in time.
 *
 * A watch list is a watch that begins with the objects that there are, as initial events, and a bookmark
 * after them. It rejects with `IncompleteListError` when the bookmark does not arrive.
 */
import type { CancelSignal } from '../platform/platform.ts';
import { errorOfAnswer } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import type { KubeObject } from './object.ts';
import { parseObject } from './parse-object.ts';
import { openAnswer, readText, unreachable } from './send-request.ts';

export interface WatchRequest {
  /** With its query. */
  readonly path: string;
  /** The server was asked to end it before; a watch that is open longer is dead. */
  readonly lastsMs: number;
  /** Whether it is a watch list. */
  readonly initialEvents: boolean;
  readonly signal: CancelSignal;
}

/** The server did not mark the end of the initial events: it may not know them. */
export class IncompleteListError extends UnreachableError {}

/** As it is on the wire: "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR". */
export interface WireEvent<T extends KubeObject> {
  readonly type?: string;
  readonly object?: T;
}

/** From the request to the answer's head. */
const OPEN_TIMEOUT_MS = 30_000;

/** From the head to the end of the initial events. */
export const INITIAL_EVENTS_MS = 60_000;

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
    if (isListing) stop.within(Math.min(INITIAL_EVENTS_MS, lastsMs), NO_LIST, IncompleteListError);
    else stop.within(lastsMs, STALLED);
    for await (const line of readLines(answer.body, MAX_EVENT_LENGTH)) {
      const event: WireEvent<T> = parseObject({ text: line }, `watch ${path}`);
      if (isListing && endsInitialEvents(event)) {
        isListing = false;
        stop.within(lastsMs, STALLED);
      }
      yield event;
    }
    if (isListing) throw new IncompleteListError(`watch ${path}: ${NO_LIST}`, { sent: true });
  } catch (error) {
    throw stop.cause() ?? asFailure(error, path);
  } finally {
    stop.release();
  }
}

const STALLED = 'it is stalled, no end';
const NO_LIST = 'no end of the initial events';

/** The bookmark after the initial events, whose version is that of the list. */
export function endsInitialEvents({ type, object }: WireEvent<KubeObject>): boolean {
  const annotations = object?.metadata?.annotations ?? {};
  return type === 'BOOKMARK' && annotations['k8s.io/initial-events-end'] === 'true';
}

interface Watchdog {
  readonly signal: AbortSignal;
  /** Aborts unless it is called again, or released, in that time. */
  within(ms: number, what: string, kind?: typeof UnreachableError): void;
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
 * The lines of a stream of bytes, one at a time. A stream that ends within a line was cut: that
 * rejects, and so does a line beyond the limit. An empty line is nothing.
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
    // Joined only when the line is whole, so that a long one is not copied with every chunk.
    if (rest !== '') parts.push(rest);
    length += rest.length;
    checkLength(length, maxLength);
  }
  if (length > 0) throw new Error('the stream ended within a line');
}

function checkLength(length: number, maxLength: number): void {
  if (length > maxLength) throw new Error(`a line is longer than ${maxLength} characters`);
}
