/**
 * What there is of a kind and what becomes of it, as one endless sequence.
 *
 *  W1 It ends only by its signal or by leaving the loop: every failure is an `Interrupted`, a wait that
 *     grows while failures follow each other, and another try.
 *  W2 Nothing is lost: a watch goes on from the last version that was told or bookmarked, and where the
 *     server has forgotten that one, everything is listed again.
 *  W3 Nothing goes back: what is not after the position is a repetition, and is not told.
 *  W4 Events come in the server's order, and no more of them is read than is asked for.
 */
import type { CancelSignal } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { errorOfStatus } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { backoffMs } from './backoff.ts';
import type { KubeConnection, WatchEvent } from './client.ts';
import { listPages } from './list-pages.ts';
import type { KubeObject, Resource } from './object.ts';
import { pathOf, withQuery } from './paths.ts';
import { isNotAfter } from './resource-version.ts';
import { openWatch, type WireEvent } from './watch-stream.ts';

export interface ListWatchOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects per page of a list; absent: 500. */
  readonly pageSize?: number;
  /** How long one watch lasts before it is made anew, give or take a fifth; absent: 300. */
  readonly watchSeconds?: number;
  /** How long after its end a watch may still be open before it is dropped; absent: 15 s. */
  readonly stallMarginMs?: number;
  readonly signal: CancelSignal;
}

const DEFAULT_WATCH_SECONDS = 300;

/** What the server gets beyond the time that it was asked for. */
export const STALL_MARGIN_MS = 15_000;

/** Not longer: when a server is back, what is frozen may wait for what a watch has to tell. */
const BACKOFF = { firstMs: 200, maxMs: 5_000 };

/** A server that asks for more than this is asked again sooner. */
const MAX_RETRY_AFTER_MS = 120_000;

/** A watch that the server ends sooner, without having told anything, has failed. */
const MIN_WATCH_MS = 1_000;

/** A watch that broke after this long is no repetition of the failure before it. */
const STEADY_MS = 10_000;

interface Run<T extends KubeObject> {
  readonly connection: KubeConnection;
  readonly resource: Resource<T>;
  readonly options: ListWatchOptions;
  /** Where a watch goes on from; null: it takes a list. */
  position: string | null;
  /** Whether a list has been begun, so that the next one says that it lists again. */
  listed: boolean;
  /** Since a watch last made progress. */
  failures: number;
}

export async function* listWatch<T extends KubeObject>(
  connection: KubeConnection,
  resource: Resource<T>,
  options: ListWatchOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { signal } = options;
  const run: Run<T> = { connection, resource, options, position: null, listed: false, failures: 0 };
  while (!signal.aborted) {
    try {
      if (run.position === null) yield* tellAll(run);
      else yield* tellChanges(run, run.position);
    } catch (error) {
      if (!isInterruption(error)) throw error;
      if (isAborted(signal)) return;
      run.failures += 1;
      if (run.position !== null && needsList(error)) run.position = null;
      const retryInMs = waitAfter(error, run);
      yield { type: 'Interrupted', reason: error.message, retryInMs };
      await sleep(connection.platform.timers, retryInMs, signal);
    }
  }
}

async function* tellAll<T extends KubeObject>(run: Run<T>): AsyncGenerator<WatchEvent<T>> {
  const { connection, resource, options } = run;
  if (run.listed) yield { type: 'Relisting' };
  run.listed = true;
  let resourceVersion = '';
  for await (const part of listPages(connection, resource, options)) {
    if (part.kind === 'restart') {
      yield { type: 'Relisting' };
    } else {
      ({ resourceVersion } = part);
      for (const object of part.items) yield { type: 'Upsert', object };
    }
  }
  run.position = resourceVersion;
  yield { type: 'Synced', resourceVersion };
}

async function* tellChanges<T extends KubeObject>(
  run: Run<T>,
  from: string,
): AsyncGenerator<WatchEvent<T>> {
  const { connection, options } = run;
  const { clock } = connection.platform;
  const startedMs = clock.monotonicMs();
  const { path, seconds } = watchPath(run, from);
  const { signal, stallMarginMs = STALL_MARGIN_MS } = options;
  const request = { path, lastsMs: seconds * 1000 + stallMarginMs, signal };
  const lastedMs = (): number => clock.monotonicMs() - startedMs;
  try {
    for await (const event of openWatch<T>(connection, request)) {
      const told = advance(run, event);
      if (told !== null) yield told;
    }
  } finally {
    if (lastedMs() >= STEADY_MS) run.failures = 0;
  }
  if (run.position === from && lastedMs() < MIN_WATCH_MS) {
    throw new UnreachableError(`watch ${path}: the server ended it at once`, { sent: true });
  }
  run.failures = 0;
}

function watchPath<T extends KubeObject>(
  { connection, resource, options }: Run<T>,
  from: string,
): { path: string; seconds: number } {
  const { namespace, labelSelector, fieldSelector, watchSeconds } = options;
  // Spread, so that watches that began together do not end together.
  const spread = 0.8 + connection.random() * 0.4;
  const seconds = Math.max(1, Math.round((watchSeconds ?? DEFAULT_WATCH_SECONDS) * spread));
  const path = withQuery(pathOf(resource, { namespace }), {
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion: from,
    timeoutSeconds: seconds,
    labelSelector,
    fieldSelector,
  });
  return { path, seconds };
}

/** Moves the position; null: there is nothing to tell. */
function advance<T extends KubeObject>(
  run: Run<T>,
  { type, object }: WireEvent<T>,
): WatchEvent<T> | null {
  if (object === undefined) throw strange('without an object');
  if (type === 'ERROR') throw errorOfStatus(object);
  const version = object.metadata?.resourceVersion;
  if (version === undefined) throw strange('without a resourceVersion');
  if (run.position !== null && isNotAfter(version, run.position)) return null;
  const told = eventOf<T>(type, object);
  run.position = version;
  run.failures = 0;
  return told;
}

function eventOf<T extends KubeObject>(type: string | undefined, object: T): WatchEvent<T> | null {
  if (type === 'ADDED' || type === 'MODIFIED') return { type: 'Upsert', object };
  if (type === 'DELETED') return { type: 'Delete', object };
  if (type === 'BOOKMARK') return null;
  throw strange(`of the type ${JSON.stringify(type)}`);
}

function strange(what: string): UnreachableError {
  return new UnreachableError(`the server sent a watch event ${what}`, { sent: true });
}

function isInterruption(error: unknown): error is ApiError | UnreachableError {
  return error instanceof ApiError || error instanceof UnreachableError;
}

/** As a function: the compiler takes the signal for one that cannot change while we wait. */
function isAborted(signal: CancelSignal): boolean {
  return signal.aborted;
}

/**
 * Whether a watch cannot go on from where it is: the position is forgotten (410) or of another server
 * (a refusal as a bad request, or as one from the future), or the kind itself is gone for now. What is
 * only refused for now (credentials, load, a server that stops) leaves the position as it is.
 */
function needsList(error: ApiError | UnreachableError): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.status.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')) return true;
  return [400, 404, 405, 410, 422].includes(error.code);
}

function waitAfter<T extends KubeObject>(
  error: ApiError | UnreachableError,
  { connection, failures }: Run<T>,
): number {
  const ownMs = backoffMs(failures, BACKOFF, connection.random());
  const askedSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.round(Math.min(askedSeconds * 1000, MAX_RETRY_AFTER_MS) + ownMs);
}
