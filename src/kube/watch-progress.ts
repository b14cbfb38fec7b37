/** Drops the repetitions among the events of one watch, and keeps the version from which the next watch resumes. */
import { errorOfStatus } from './answer-error.ts';
import { UnreachableError } from './api-error.ts';
import type { WatchEvent } from './client.ts';
import { type KubeObject, isNotAfter } from './object.ts';
import { endsInitialEvents, type WireEvent } from './watch-stream.ts';

export class WatchProgress<T extends KubeObject> {
  /**
   * The version of the last change among the initial events: events up to it are repetitions. null: no change so far.
   */
  #since: string | null = null;
  #position: string | null;
  #begun = false;

  /** `from`: the version from which the watch resumes; null: it is a watch list. */
  constructor(from: string | null) {
    this.#position = from;
  }

  /** The version of the last event; null: the initial events are not complete. */
  get position(): string | null {
    return this.#position;
  }

  /** Whether the watch list has begun or ended, but its bookmark did not arrive. */
  get isBrokenList(): boolean {
    return this.#begun && this.#position === null;
  }

  /** Records that the watch has begun, even without an event. Call it when the server has ended the watch. */
  end(): void {
    this.#begun = true;
  }

  /** The event to report; null: a bookmark or a repetition. Throws for an ERROR event, and for an invalid event. */
  take(event: WireEvent<T>): WatchEvent<T> | null {
    const { type, object } = event;
    this.#begun = true;
    if (object === undefined || object === null) throw strange('without an object');
    if (type === 'ERROR') throw errorOfStatus(object);
    const version = object.metadata?.resourceVersion;
    if (version === undefined) throw strange('without a resourceVersion');
    if (this.#position === null) return this.#takeInitial(event, object, version);
    if (isNotAfter(version, this.#position)) return null;
    const reported = eventOf<T>(type, object);
    this.#position = version;
    return reported;
  }

  /** Initial events are not ordered by version. Changes that happen meanwhile follow them, in order. */
  #takeInitial(event: WireEvent<T>, object: T, version: string): WatchEvent<T> | null {
    if (endsInitialEvents(event)) {
      this.#position = version;
      return { type: 'Synced', resourceVersion: version };
    }
    if (this.#since !== null && isNotAfter(version, this.#since)) return null;
    const { type } = event;
    if (type === 'MODIFIED' || type === 'DELETED') this.#since = version;
    return eventOf<T>(type, object);
  }
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
