import type { CancelSignal, Clock, Timers } from '../../../../src/platform/platform.ts';
import { type StoreChange, type StoredObject, TooOldError } from './object-store.ts';
import { keyOf } from './object-table.ts';

/** Maximum number of changes of one resource that are kept. */
export const MAX_CHANGES = 10_000;
export const MAX_CHANGES_BYTES = 33_554_432;
/** Milliseconds for which a change is kept, as on a real API server. */
export const MAX_CHANGE_AGE_MS = 300_000;

interface LoggedChange {
  readonly change: StoreChange;
  readonly bytes: number;
  readonly atMs: number;
}

export interface LogTime {
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * The latest changes of one resource, for watches and for lists of past revisions.
 *
 * The log is limited by number, bytes and age. A watcher has no queue of its own: it reads the log, and gets an error
 * if changes that it needs were dropped.
 */
export class ChangeLog {
  readonly #time: LogTime;
  readonly #changes: LoggedChange[] = [];
  /** Number of dropped changes. It is also the sequence number of the first change in the log. */
  #first = 0;
  #bytes = 0;
  /** The log has all changes after this revision. */
  #complete: number;
  #wake: (() => void)[] = [];
  #wakesSoon = false;

  constructor(time: LogTime, completeAfter: number) {
    this.#time = time;
    this.#complete = completeAfter;
  }

  add(change: StoreChange, bytes: number): void {
    this.#changes.push({ change, bytes, atMs: this.#time.clock.monotonicMs() });
    this.#bytes += bytes;
    this.#drop();
    this.#wakeSoon();
  }

  /** Wakes watchers in the next turn of the event loop, so that the writer gets its result before them. */
  #wakeSoon(): void {
    if (this.#wakesSoon || this.#wake.length === 0) return;
    this.#wakesSoon = true;
    this.#time.timers.after(0, () => {
      this.#wakesSoon = false;
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  /**
   * Computes the list at an earlier revision from the current list; undefined if the log does not go back far enough.
   */
  undo(list: readonly StoredObject[], revision: number): readonly StoredObject[] | undefined {
    if (revision < this.#complete) return undefined;
    const before = new Map<string, StoredObject | undefined>();
    for (const { change } of this.#changes.slice(this.#indexAfter(revision))) {
      const key = keyOf(change.stored.address);
      if (!before.has(key)) before.set(key, change.previous);
    }
    if (before.size === 0) return list;
    const kept = list.filter(({ address }) => !before.has(keyOf(address)));
    const restored = [...before.values()].filter((stored) => stored !== undefined);
    return [...kept, ...restored].toSorted((a, b) =>
      keyOf(a.address) < keyOf(b.address) ? -1 : 1,
    );
  }

  /** Starts the watch at once, not at the first read. */
  follow(fromRevision: number, signal: CancelSignal): AsyncIterable<StoreChange> {
    this.#refuseTooOld(fromRevision);
    return this.#follow(
      { next: this.#first + this.#indexAfter(fromRevision), fromRevision },
      signal,
    );
  }

  async *#follow(
    place: { next: number; readonly fromRevision: number },
    signal: CancelSignal,
  ): AsyncGenerator<StoreChange> {
    let seen = place.fromRevision;
    for (let next = place.next; !signal.aborted;) {
      if (next < this.#first) throw new TooOldError(seen, this.#complete);
      const logged = this.#changes[next - this.#first];
      if (logged === undefined) {
        await this.#more(signal);
        continue;
      }
      next += 1;
      seen = logged.change.stored.revision;
      yield logged.change;
    }
  }

  #more(signal: CancelSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#wake = this.#wake.filter((other) => other !== wake);
        wake();
      };
      this.#wake.push(wake);
      signal.addEventListener('abort', stop);
    });
  }

  #refuseTooOld(revision: number): void {
    if (revision < this.#complete) throw new TooOldError(revision, this.#complete);
  }

  /** Index in the log of the first change after a revision. */
  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.change.stored.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #drop(): void {
    const oldestMs = this.#time.clock.monotonicMs() - MAX_CHANGE_AGE_MS;
    for (let first = this.#changes[0]; first !== undefined; first = this.#changes[0]) {
      const within = this.#changes.length <= MAX_CHANGES && this.#bytes <= MAX_CHANGES_BYTES;
      if (within && first.atMs >= oldestMs) return;
      this.#changes.shift();
      this.#first += 1;
      this.#bytes -= first.bytes;
      this.#complete = first.change.stored.revision;
    }
  }
}
