/**
 * Streams the changes of a collection, one JSON object per line.
 *
 * An object that starts to match the client's selectors is ADDED, and one that ceases to match is DELETED. A bookmark
 * reports that the client has received all changes up to its revision.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { LinkedSignal } from '../../../../../src/platform/linked-signal.ts';
import { type StoreChange, type StoredObject, TooOldError } from '../../storage/object-store.ts';
import { asServed, type RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import {
  refuseFuture,
  type WatchRequestOptions,
  watchOptions,
  readSelection,
  type Selection,
} from '../list-options.ts';
import { acceptedShape, shapeObject, warningHeader } from '../present.ts';
import { expired, statusOf } from '../status.ts';
import { nextOrTick } from './next-or-tick.ts';
import type { CancelSignal, Timers } from '../../../../../src/platform/platform.ts';

/** Milliseconds between two bookmarks, and before the first. */
export const BOOKMARK_EVERY_MS = 60_000;

/** A watch without a timeout gets a random one between this many seconds and twice as many. */
const MIN_TIMEOUT_SECONDS = 1_800;

interface Watching {
  readonly scope: RequestScope;
  readonly options: WatchRequestOptions;
  readonly selection: Selection;
  readonly from: number;
  /** Objects that are sent first; null if the client already has them. */
  readonly initial: readonly StoredObject[] | null;
  readonly changes: AsyncIterator<StoreChange>;
  readonly end: LinkedSignal;
  readonly line: (type: string, object: JsonObject) => string;
}

export function watchObjects(scope: RequestScope): ServerAnswer {
  const selection = readSelection(scope);
  const line = lineOf(scope);
  const headers = { 'content-type': 'application/json', ...warningHeader(scope.warnings) };
  const start = startOf(scope, watchOptions(scope.request.query));
  const end = endOf(scope, start.options);
  const { store } = scope.api;
  const { storageName } = scope.definition;
  const { namespace } = selection;
  const initial = start.reported ? store.list(storageName, namespace) : null;
  try {
    const within = namespace === undefined ? {} : { namespace };
    const opened = { resource: storageName, ...within, fromRevision: start.from, signal: end };
    const changes = store.watch(opened)[Symbol.asyncIterator]();
    const watching = { scope, ...start, selection, line, end, initial, changes };
    return { status: 200, headers, body: report(watching) };
  } catch (error) {
    end.abort();
    if (!(error instanceof TooOldError)) throw error;
    return { status: 200, headers, body: tooOldLine({ line }, error) };
  }
}

interface WatchStart {
  readonly options: WatchRequestOptions;
  readonly from: number;
  /** True if all objects are sent before the changes. */
  readonly reported: boolean;
}

function startOf({ api }: RequestScope, options: WatchRequestOptions): WatchStart {
  const { revision = 0, sendInitialEvents = revision === 0 } = options;
  refuseFuture(revision, api.store.revision);
  // With initial events, or without a revision above 0, the watch starts at the current revision.
  const from = sendInitialEvents || revision === 0 ? api.store.revision : revision;
  return { options, from, reported: sendInitialEvents };
}

function endOf(
  { api, request, definition }: RequestScope,
  options: WatchRequestOptions,
): LinkedSignal {
  const seconds =
    options.timeoutSeconds ?? MIN_TIMEOUT_SECONDS + api.randomness.below(MIN_TIMEOUT_SECONDS);
  const closed = new LinkedSignal(request.signal, definition.ended);
  return endingSignal(closed, api.platform.timers, seconds * 1_000);
}

/** The event of a revision that is too old. A real server also answers 200 and sends this event alone. */
function tooOldLine({ line }: Pick<Watching, 'line'>, error: TooOldError): string {
  return line('ERROR', statusOf(expired(error.message).failure));
}

async function* report(watching: Watching): AsyncGenerator<string> {
  const { end, initial, selection, scope, line } = watching;
  try {
    for (const { object } of initial ?? []) {
      if (end.aborted) return;
      if (selection.matches(object)) yield line('ADDED', asServed(scope.definition, object));
    }
    if (watching.options.sendInitialEvents === true && watching.options.bookmarks) {
      yield bookmark(watching, watching.from, INITIAL_EVENTS_END);
    }
    yield* reportChanges(watching);
  } catch (error) {
    if (!(error instanceof TooOldError)) throw error;
    yield tooOldLine(watching, error);
  } finally {
    end.abort();
  }
}

async function* reportChanges(watching: Watching): AsyncGenerator<string> {
  const { changes, options, scope } = watching;
  const { store, platform } = scope.api;
  const everyMs = options.bookmarks ? BOOKMARK_EVERY_MS : null;
  for await (const next of nextOrTick(changes, { timers: platform.timers, everyMs, store })) {
    if (next.kind === 'item') {
      const event = eventOf(watching, next.item);
      if (event !== null) yield event;
    } else {
      yield bookmark(watching, next.revision, {});
    }
  }
}

/** Returns null if the client does not select the object. */
function eventOf(
  { selection, scope, line }: Watching,
  { type, stored, previous }: StoreChange,
): string | null {
  const object = asServed(scope.definition, stored.object);
  const was = type !== 'ADDED' && previous !== undefined && selection.matches(previous.object);
  const is = type !== 'DELETED' && selection.matches(stored.object);
  if (is) return line(was ? 'MODIFIED' : 'ADDED', object);
  if (!was) return null;
  if (type === 'DELETED') return line('DELETED', object);
  // A real server sends the last state that matched, with the revision at which the object ceased to match.
  return line('DELETED', asServed(scope.definition, atRevision(previous, stored.revision)));
}

function atRevision({ object }: StoredObject, revision: number): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}

const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

function bookmark(
  { scope, line }: Watching,
  revision: number,
  annotations: Readonly<Record<string, string>>,
): string {
  const marks = Object.keys(annotations).length === 0 ? {} : { annotations: { ...annotations } };
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...marks };
  return line('BOOKMARK', asServed(scope.definition, { metadata }));
}

function lineOf(scope: RequestScope): (type: string, object: JsonObject) => string {
  const accepted = acceptedShape(scope);
  let first = true;
  return (type, object) => {
    const shaped = type === 'ERROR' ? object : shapeObject(scope, accepted, object);
    // Only the first event of a table has the columns.
    if (accepted.shape === 'table' && type !== 'ERROR' && !first) {
      shaped['columnDefinitions'] = null;
    }
    first = false;
    return `${JSON.stringify({ type, object: shaped })}\n`;
  };
}

/**
 * Returns a signal that also aborts after `afterMs` milliseconds. Abort it when the work is done: that clears the
 * timer.
 */
export function endingSignal(outer: CancelSignal, timers: Timers, afterMs: number): LinkedSignal {
  const signal = new LinkedSignal(outer);
  const callOff = timers.after(afterMs, signal.abort);
  if (signal.aborted) callOff();
  else signal.addEventListener('abort', callOff);
  return signal;
}
