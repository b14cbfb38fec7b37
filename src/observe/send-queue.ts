/**
 * Sends items to a receiver in batches, without blocking the caller: `add` returns at once and never throws. Items that
 * the receiver does not accept wait in a bounded queue. Items that do not fit into the queue are dropped and reported.
 */
import type { Timers } from '../platform/platform.ts';

/** The result of sending a batch. */
export type PostAnswer =
  | { readonly kind: 'taken' }
  /** The receiver would reject a retry too. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'busy'; readonly why: string };

export interface SendQueueOptions<T> {
  /** Sends one batch. Never rejects, and resolves within a bounded time. */
  readonly post: (items: readonly T[], signal: AbortSignal) => Promise<PostAnswer>;
  readonly timers: Timers;
  readonly observe: (note: SendNote<T>) => void;
  /** Plural noun of the items, for messages: "spans". */
  readonly noun: string;
  readonly queueMax: number;
  readonly batchMax: number;
  /** Milliseconds from the first item of a batch to its request. */
  readonly gatherMs: number;
  /**
   * Whether an item must not be sent before this busy item. All other items then go first. Absent: the order never
   * changes.
   */
  readonly isTied?: (busy: T, item: T) => boolean;
  /** Milliseconds until the next request, after this number of busy answers in a row. */
  readonly againMs: (failures: number) => number;
}

export type SendNote<T> =
  | { readonly type: 'Sent'; readonly items: readonly T[] }
  /** The receiver accepts no items now. They wait and are sent again. */
  | { readonly type: 'Busy'; readonly why: string }
  | { readonly type: 'Dropped'; readonly items: readonly T[]; readonly why: string };

/** Milliseconds for sending the last batches when the program exits. */
const STOP_MS = 2_000;
const ENDING = 'the program ends';

export class SendQueue<T> {
  readonly #options: SendQueueOptions<T>;
  readonly #queue: T[] = [];
  #callOffTimer: (() => void) | null = null;
  #posting: Promise<void> | null = null;
  #failures = 0;
  /** Reason of the last answer, if it was busy; else null. */
  #busyWhy: string | null = null;
  readonly #end = new AbortController();
  #stopped = false;

  constructor(options: SendQueueOptions<T>) {
    this.#options = options;
  }

  /** Number of queued items, including the batch that is being sent. */
  get length(): number {
    return this.#queue.length;
  }

  add(item: T): void {
    const { queueMax, noun, gatherMs, observe } = this.#options;
    if (this.#stopped || this.#queue.length >= queueMax) {
      const why = this.#stopped ? ENDING : `${queueMax} ${noun} wait already`;
      observe({ type: 'Dropped', items: [item], why });
      return;
    }
    this.#queue.push(item);
    this.#wake(gatherMs);
  }

  /** Sends the waiting items, within two seconds; never rejects. */
  async stop(): Promise<void> {
    const { timers, observe } = this.#options;
    this.#stopped = true;
    this.#callOffTimer?.();
    const callOff = timers.after(STOP_MS, () => {
      this.#end.abort();
    });
    await this.#posting;
    const { signal } = this.#end;
    let isTaking = true;
    while (isTaking && !signal.aborted && this.#queue.length > 0) {
      isTaking = await this.#postBatch();
    }
    callOff();
    const items = this.#queue.splice(0);
    const why = this.#busyWhy === null || signal.aborted ? ENDING : `${ENDING}: ${this.#busyWhy}`;
    if (items.length > 0) observe({ type: 'Dropped', items, why });
  }

  #wake(inMs: number): void {
    if (this.#callOffTimer !== null || this.#posting !== null || this.#stopped) return;
    this.#callOffTimer = this.#options.timers.after(inMs, () => {
      this.#callOffTimer = null;
      this.#posting = this.#sendOne();
    });
  }

  async #sendOne(): Promise<void> {
    const { gatherMs, againMs } = this.#options;
    const wasTaken = await this.#postBatch();
    this.#posting = null;
    if (this.#queue.length > 0) this.#wake(wasTaken ? gatherMs : againMs(this.#failures));
  }

  /** Resolves with true if the next batch may be sent without a pause for a busy receiver. */
  async #postBatch(): Promise<boolean> {
    const { post, observe, batchMax } = this.#options;
    const batch = this.#queue.slice(0, batchMax);
    const answer = await post(batch, this.#end.signal);
    if (answer.kind === 'busy') {
      this.#failures += 1;
      this.#busyWhy = answer.why;
      this.#letOthersPass(batch[0]);
      observe({ type: 'Busy', why: answer.why });
      return false;
    }
    this.#failures = 0;
    this.#busyWhy = null;
    const items = this.#queue.splice(0, batch.length);
    if (answer.kind === 'taken') observe({ type: 'Sent', items });
    else observe({ type: 'Dropped', items, why: answer.why });
    return true;
  }

  /** Moves other items before the busy one, since a receiver may fail on that one item only. */
  #letOthersPass(busy: T | undefined): void {
    const { isTied } = this.#options;
    if (isTied === undefined || busy === undefined) return;
    const all = this.#queue.splice(0);
    const tied = all.filter((item) => isTied(busy, item));
    this.#queue.push(...all.filter((item) => !isTied(busy, item)), ...tied);
  }
}
