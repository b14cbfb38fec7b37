/**
 * Lists the objects of a kind and watches their changes, as one endless sequence.
 *
 *  KUBE-W1 It ends only by its signal or when the caller leaves the loop. Every failure is followed by an
 *     `Interrupted`, a wait that grows with the failures in a row, and a retry.
 *  KUBE-W2 No change is lost: a watch resumes at the version of the last event or bookmark. If the server has
 *     dropped that version, everything is listed again.
 *  KUBE-W3 No change is reverted: an event whose version is not after the last one is a repetition, and is dropped.
 *  KUBE-W4 Events keep the server's order, and no more events are read than the caller requests.
 *  KUBE-W5 A list is a watch list, which needs memory for one object at a time. If the server refuses watch lists or
 *     never completes them, this and all later lists are paged.
 */
import type { CancelSignal } from '../platform/platform.ts';
import { sleep, backoffMs } from '../platform/sleep.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import type { KubeConnection, WatchEvent } from './client.ts';
import { listPages } from './list-pages.ts';
import type { KubeObject, Resource } from './object.ts';
import { pathOf, withQuery } from './paths.ts';
import { WatchProgress } from './watch-progress.ts';
import { IncompleteListError, openWatch, type WatchRequest } from './watch-stream.ts';

export interface ListWatchOptions {
  /** Namespace to watch; absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects per page of a paged list; absent: 500. */
  readonly pageSize?: number;
  /** Seconds that one watch lasts, plus or minus a fifth; absent: 300. */
  readonly watchSeconds?: number;
  /** Milliseconds after the requested duration until a watch that is still open is aborted. Absent: 15 s. */
  readonly stallMarginMs?: number;
  readonly signal: CancelSignal;
}

const DEFAULT_WATCH_SECONDS = 300;

/** Milliseconds that the server may take to end a watch after its requested duration. */
export const STALL_MARGIN_MS = 15_000;

/**
 * The pauses between retries. At most 5 s: when the server is back, frozen applications may wait for the events of a
 * watch.
 */
const BACKOFF = { firstMs: 200, maxMs: 5_000 };

/** Maximum pause for a Retry-After of the server. */
const MAX_RETRY_AFTER_MS = 120_000;

/** A watch that the server ends earlier than this, without an event, has failed. */
const MIN_WATCH_MS = 1_000;

/** The failure of a watch that broke later than this does not count as a repeated one. */
const STEADY_MS = 10_000;

/** Maximum number of consecutive watch lists that may break after their first event, or end without the bookmark. */
const MAX_BROKEN_LISTS = 2;

interface Run<T extends KubeObject> {
  readonly connection: KubeConnection;
  readonly resource: Resource<T>;
  readonly options: ListWatchOptions;
  /** The version from which the watch resumes; null: a list comes first. */
  position: string | null;
  /** Whether a list was started before, so that the next one is a relist. */
  listed: boolean;
  /** The number of failures since a watch last made progress. */
  failures: number;
  /** The number of watch lists to try before lists are paged (KUBE-W5); 0: lists are paged. */
  watchListsLeft: number;
}

export async function* listWatch<T extends KubeObject>(
  connection: KubeConnection,
  resource: Resource<T>,
  options: ListWatchOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { signal } = options;
  const watchListsLeft = MAX_BROKEN_LISTS;
  const first = { position: null, listed: false, failures: 0, watchListsLeft };
  const run: Run<T> = { connection, resource, options, ...first };
  while (!signal.aborted) {
    try {
      if (run.position === null) yield* notifyAll(run);
      else yield* reportChanges(run, run.position);
    } catch (error) {
      if (!isInterruption(error)) throw error;
      if (isAborted(signal)) return;
      run.failures += 1;
      if (run.position !== null && needsList(error)) run.position = null;
      const retryInMs = waitAfter(error, run);
      const notServed = error instanceof ApiError && error.code === 404;
      yield { type: 'Interrupted', reason: error.message, retryInMs, notServed };
      await sleep(connection.platform.timers, retryInMs, signal);
    }
  }
}

async function* notifyAll<T extends KubeObject>(run: Run<T>): AsyncGenerator<WatchEvent<T>> {
  if (run.listed) yield { type: 'Relisting' };
  run.listed = true;
  if (run.watchListsLeft > 0) {
    let reported = false;
    try {
      for await (const event of reportChanges(run, null)) {
        reported = true;
        yield event;
      }
      return;
    } catch (error) {
      if (run.position !== null || !refusesWatchLists(error)) throw error;
      run.watchListsLeft = 0;
      if (reported || error instanceof IncompleteListError) throw error;
    }
  }
  yield* reportPages(run);
}

async function* reportPages<T extends KubeObject>(run: Run<T>): AsyncGenerator<WatchEvent<T>> {
  const { connection, resource, options } = run;
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

/** Whether a retry of the watch list would fail again. */
function refusesWatchLists(error: unknown): boolean {
  if (error instanceof IncompleteListError) return true;
  return error instanceof ApiError && [400, 403, 405, 422].includes(error.code);
}

/** Follows one watch. `from` is the version from which it resumes; null: it is a watch list. */
async function* reportChanges<T extends KubeObject>(
  run: Run<T>,
  from: string | null,
): AsyncGenerator<WatchEvent<T>> {
  const { clock } = run.connection.platform;
  const startedMs = clock.monotonicMs();
  const request = watchRequest(run, from);
  const progress = new WatchProgress<T>(from);
  const lastedMs = (): number => clock.monotonicMs() - startedMs;
  try {
    for await (const event of openWatch<T>(run.connection, request)) {
      const reported = progress.take(event);
      advance(run, progress);
      if (reported !== null) yield reported;
    }
    progress.end();
  } finally {
    if (progress.isBrokenList) run.watchListsLeft -= 1;
    if (lastedMs() >= STEADY_MS) run.failures = 0;
  }
  if (run.position === null) throw ended(request, 'before the end of the initial events');
  if (run.position === from && lastedMs() < MIN_WATCH_MS) throw ended(request, 'at once');
  run.failures = 0;
}

function ended({ path }: WatchRequest, when: string): UnreachableError {
  return new UnreachableError(`watch ${path}: the server ended it ${when}`, { sent: true });
}

function advance<T extends KubeObject>(run: Run<T>, { position }: WatchProgress<T>): void {
  if (position === run.position) return;
  if (run.position === null) run.watchListsLeft = MAX_BROKEN_LISTS;
  run.position = position;
  run.failures = 0;
}

function watchRequest<T extends KubeObject>(
  { connection, resource, options }: Run<T>,
  from: string | null,
): WatchRequest {
  const { namespace, labelSelector, fieldSelector, watchSeconds, signal } = options;
  const { stallMarginMs = STALL_MARGIN_MS } = options;
  // Jitter, so that watches that began at the same time do not end at the same time.
  const spread = 0.8 + connection.random() * 0.4;
  const seconds = Math.max(1, Math.round((watchSeconds ?? DEFAULT_WATCH_SECONDS) * spread));
  const path = withQuery(pathOf(resource, { namespace }), {
    watch: true,
    allowWatchBookmarks: true,
    ...(from === null ? INITIAL_EVENTS : { resourceVersion: from }),
    timeoutSeconds: seconds,
    labelSelector,
    fieldSelector,
  });
  return { path, lastsMs: seconds * 1000 + stallMarginMs, initialEvents: from === null, signal };
}

/** Without a resourceVersion, the server lists its latest state. */
const INITIAL_EVENTS = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;

function isInterruption(error: unknown): error is ApiError | UnreachableError {
  return error instanceof ApiError || error instanceof UnreachableError;
}

/** A function, since the compiler assumes that the signal cannot change during a wait. */
function isAborted(signal: CancelSignal): boolean {
  return signal.aborted;
}

/**
 * Whether a watch cannot resume at its position. Either the position has expired (410), or it is from another server (a
 * bad request, or a version in the future), or the kind is currently not served. After temporary errors (credentials,
 * load, a stopping server) the position stays valid.
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
