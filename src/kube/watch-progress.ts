/** The events of one watch: which of them are news, and from which version the next watch resumes. */
import { errorOfStatus } from './answer-error.ts';
import { UnreachableError } from './api-error.ts';
import type { WatchEvent } from './client.ts';
import type { KubeObject } from './object.ts';
import { isNotAfter } from './resource-version.ts';
import { endsInitialEvents, type WireEvent } from './watch-stream.ts';

export class WatchProgress<T extends KubeObject> {
  /** Until the initial events have ended: events up to this version are repetitions. */
  #since: string | null = null;
  #position: string | null;
  #begun = false;

  /** `from`: the version that the watch resumes from; null: it is a watch list. */
  constructor(from: string | null) {
    this.#position = from;
  }

  /** The version of the last event; null: the initial events have not ended. */
  get position(): string | null {
    return this.#position;
  }

  /** Whether initial events arrived, but not their end. */
  get isBrokenList(): boolean {
    return this.#begun && this.#position === null;
  }

  /** Null: a bookmark or a repetition. Throws for an event of failure, and for what is no event. */
  take(event: WireEvent<T>): WatchEvent<T> | null {
    const { type, object } = event;
    this.#begun = true;
    if (object === undefined) throw strange('without an object');
    if (type === 'ERROR') throw errorOfStatus(object);
    const version = object.metadata?.resourceVersion;
    if (version === undefined) throw strange('without a resourceVersion');
    if (this.#position === null) return this.#takeInitial(event, object, version);
    if (isNotAfter(version, this.#position)) return null;
    const told = eventOf<T>(type, object);
    this.#position = version;
    return told;
  }

  /** Initial events are in no order of versions. Changes in the meantime follow them, in order. */
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
