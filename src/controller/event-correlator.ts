/**
 * Decides what to do with a note about an object: create an Event, increase the count of an existing Event, or only
 * count the note. Notes are only counted if the object produces too many of them. The limits are those of the standard
 * Kubernetes controllers.
 *
 *  CTRL-V1 Equal notes (object, type, reason, message) are one Event with a count.
 *  CTRL-V2 From the tenth different message of one (object, type, reason) within ten minutes, further messages
 *     share one Event, which has the latest message.
 *  CTRL-V3 For one object at most 25 notes are written in a burst, and then one in five minutes. The others are
 *     counted, and the next written note carries the count.
 *  CTRL-V4 Memory is bounded: the least recently used entry is forgotten, and its count restarts at one.
 */
import type { ObjectReference } from 'kubernetes-types/core/v1.js';

export const SPAM_BURST = 25;
/** Milliseconds in which the token bucket of an object gains one token. */
export const SPAM_REFILL_MS = 300_000;
export const SIMILAR_MESSAGES = 10;
/** Messages that are further apart than this are not combined, milliseconds. */
export const SIMILAR_WITHIN_MS = 600_000;
/** Maximum number of entries of each of the three maps. */
const MAX_REMEMBERED = 4_096;

/** A Kubernetes Event, without the object that it is about. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

export interface Note extends Notice {
  readonly about: ObjectReference;
}

/** The desired state of one Event object. */
export interface Series {
  readonly id: string;
  readonly note: Note;
  readonly firstMs: number;
  /** The name of the Event on the server; null: it was not created yet. */
  name: string | null;
  message: string;
  count: number;
  lastMs: number;
}

export interface CorrelatorOptions {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

interface Bucket {
  tokens: number;
  filledMs: number;
}

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
}

export class EventCorrelator {
  readonly #options: CorrelatorOptions;
  readonly #series = new RecentMap<Series>(MAX_REMEMBERED);
  readonly #similar = new RecentMap<Similar>(MAX_REMEMBERED);
  readonly #buckets = new RecentMap<Bucket>(MAX_REMEMBERED);

  constructor(options: CorrelatorOptions) {
    this.#options = options;
  }

  /** Counts a note. Returns its Event, and whether to write the Event now. */
  count(note: Note): { readonly series: Series; readonly write: boolean } {
    const family = JSON.stringify([idOf(note.about), note.type, note.reason]);
    const together = this.#takeTogether(family, note.message);
    const id = together ? family : JSON.stringify([family, note.message]);
    const nowMs = this.#options.nowMs();
    const begun = { id, note, firstMs: nowMs, name: null, message: '', count: 0, lastMs: nowMs };
    const series = this.#series.touch(id, () => begun);
    series.count += 1;
    series.lastMs = nowMs;
    series.message = together ? `(combined from similar events): ${note.message}` : note.message;
    return { series, write: this.#allow(note) };
  }

  #takeTogether(family: string, message: string): boolean {
    const nowMs = this.#options.monotonicMs();
    const similar = this.#similar.touch(family, () => ({ messages: new Set(), lastMs: nowMs }));
    if (nowMs - similar.lastMs > SIMILAR_WITHIN_MS) similar.messages.clear();
    similar.lastMs = nowMs;
    if (similar.messages.size < SIMILAR_MESSAGES) similar.messages.add(message);
    return similar.messages.size >= SIMILAR_MESSAGES;
  }

  /** Whether a note may be written now, by a token bucket of 25 that refills one token every five minutes. */
  #allow({ about }: Note): boolean {
    const nowMs = this.#options.monotonicMs();
    const full = { tokens: SPAM_BURST, filledMs: nowMs };
    const bucket = this.#buckets.touch(idOf(about), () => full);
    const refilled = bucket.tokens + (nowMs - bucket.filledMs) / SPAM_REFILL_MS;
    bucket.tokens = Math.min(SPAM_BURST, refilled);
    bucket.filledMs = nowMs;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

function idOf({ apiVersion, kind, namespace, name, uid, fieldPath }: ObjectReference): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid, fieldPath]);
}

/** A map that drops its least recently used entry when it exceeds `limit` entries. */
export class RecentMap<V> {
  readonly #limit: number;
  /** The entries, the least recently used one first. */
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of the key, which now counts as the last used one; `make` creates a missing value. */
  touch(key: string, make: () => V): V {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
    return value;
  }
}
