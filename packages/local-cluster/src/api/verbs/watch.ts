/**
 * Changes of a collection as they happen, one JSON text a line.
 *
 * What a caller selects is a collection of its own: an object that begins to match is ADDED to it, one
 * that ceases to match is DELETED from it. Bookmarks tell a caller who saw nothing for long how far it
 * is: it has seen all that it selects up to that revision.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { LinkedSignal } from '../../../../../src/platform/linked-signal.ts';
import { type StoreChange, type StoredObject, TooOldError } from '../../storage/object-store.ts';
import { asServed, type RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { refuseFuture, type WatchRequestOptions, watchOptions } from '../list-options.ts';
import { acceptedShape, shapeObject, warningHeader } from '../present.ts';
import { readSelection, type Selection } from '../selection.ts';
import { expired, statusOf } from '../status.ts';
import { nextOrTick } from './next-or-tick.ts';
import type { CancelSignal, Timers } from '../../../../../src/platform/platform.ts';

/** Between two bookmarks, also the first and the beginning. */
export const BOOKMARK_EVERY_MS = 60_000;

/** A watch that names no end gets one between this and twice this. */
const MIN_TIMEOUT_SECONDS = 1_800;

interface Watching {
  readonly scope: RequestScope;
  readonly options: WatchRequestOptions;
  readonly selection: Selection;
  readonly from: number;
  /** The collection at `from`, to be told first; null: the caller knows it. */
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
  const initial = start.told ? store.list(storageName, namespace) : null;
  try {
    const within = namespace === undefined ? {} : { namespace };
    const opened = { resource: storageName, ...within, fromRevision: start.from, signal: end };
    const changes = store.watch(opened)[Symbol.asyncIterator]();
    const watching = { scope, ...start, selection, line, end, initial, changes };
    return { status: 200, headers, body: tell(watching) };
  } catch (error) {
    end.abort();
    if (!(error instanceof TooOldError)) throw error;
    return { status: 200, headers, body: tooOldLine({ line }, error) };
  }
}

interface WatchStart {
  readonly options: WatchRequestOptions;
  readonly from: number;
  /** What is there at `from` comes first. */
  readonly told: boolean;
}

function startOf({ api }: RequestScope, options: WatchRequestOptions): WatchStart {
  const { revision = 0, sendInitialEvents = revision === 0 } = options;
  refuseFuture(revision, api.store.revision);
  // Without initial events and without a revision a watch begins now.
  const from = sendInitialEvents || revision === 0 ? api.store.revision : revision;
  return { options, from, told: sendInitialEvents };
}

function endOf(
  { api, request, definition }: RequestScope,
  options: WatchRequestOptions,
): LinkedSignal {
  const seconds =
    options.timeoutSeconds ?? MIN_TIMEOUT_SECONDS + api.randomness.below(MIN_TIMEOUT_SECONDS);
  const gone = new LinkedSignal(request.signal, definition.ended);
  return endingSignal(gone, api.platform.timers, seconds * 1_000);
}

/** A watch is answered 200 even then; what is wrong comes as its only event. */
function tooOldLine({ line }: Pick<Watching, 'line'>, error: TooOldError): string {
  return line('ERROR', statusOf(expired(error.message).failure));
}

async function* tell(watching: Watching): AsyncGenerator<string> {
  const { end, initial, selection, scope, line } = watching;
  try {
    for (const { object } of initial ?? []) {
      if (end.aborted) return;
      if (selection.matches(object)) yield line('ADDED', asServed(scope.definition, object));
    }
    if (watching.options.sendInitialEvents === true && watching.options.bookmarks) {
      yield bookmark(watching, watching.from, INITIAL_EVENTS_END);
    }
    yield* tellChanges(watching);
  } catch (error) {
    if (!(error instanceof TooOldError)) throw error;
    yield tooOldLine(watching, error);
  } finally {
    end.abort();
  }
}

async function* tellChanges(watching: Watching): AsyncGenerator<string> {
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

/** null: nothing that the caller selects. */
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
  // It goes as it was when it last matched, at the revision at which it ceased to.
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
    // The columns stand in the first table only.
    if (accepted.shape === 'table' && type !== 'ERROR' && !first) {
      shaped['columnDefinitions'] = null;
    }
    first = false;
    return `${JSON.stringify({ type, object: shaped })}\n`;
  };
}

/** A signal that also aborts after a time; whoever is done before aborts it, and no timer is left. */
export function endingSignal(outer: CancelSignal, timers: Timers, afterMs: number): LinkedSignal {
  const signal = new LinkedSignal(outer);
  const callOff = timers.after(afterMs, signal.abort);
  if (signal.aborted) callOff();
  else signal.addEventListener('abort', callOff);
  return signal;
}
