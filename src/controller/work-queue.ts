/**
 * The queue of a controller: it has keys, never events. A worker that takes a key reads the current state of the
 * object, so ten changes to one object need only one key.
 *
 *  CTRL-Q1 A key is in the queue once, however often it was added.
 *  CTRL-Q2 A key is never handed out twice at once: if it is added while a worker has it, it is ready again after
 *     `done`.
 *  CTRL-Q3 A key that was added and not handed out since is ready; none is lost before `shutDown`.
 *  CTRL-Q4 Of several delays the earliest counts. A delayed key is not handed out before its time, unless it is added
 *     meanwhile.
 *  CTRL-Q5 Ready keys are handed out in the order in which they became ready; urgent keys before all others.
 */
import { type Backoff, backoffMs } from '../platform/sleep.ts';
import { LifehookError } from '../model/problem.ts';
import type { Platform } from '../platform/platform.ts';

/** Maximum number of keys that are ready, delayed or being processed. */
export const MAX_KEYS = 100_000;

/** The pause after failure 1 is 50 to 100 ms; from failure 13 on it is 2.5 to 5 minutes. */
export const DEFAULT_BACKOFF: Backoff = { firstMs: 100, maxMs: 300_000 };

export interface WorkQueueOptions {
  /** The name of the controller, for messages. */
  readonly name: string;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** A number from 0 to 1; spreads the retries of keys that failed together. */
  readonly random: () => number;
  readonly backoff?: Backoff;
  readonly maxKeys?: number;
  /**
   * Whether a key is urgent; absent: no key is. Called whenever a key is added. Only few keys should be urgent at a
   * time, since all other keys wait for them.
   */
  readonly isUrgent?: (key: string) => boolean;
}

interface Delay {
  readonly atMs: number;
  readonly callOff: () => void;
}

type Taker = (key: string | null) => void;

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** Ready keys that are not urgent, in the order in which they became ready. */
  readonly #ready = new Set<string>();
  /** Urgent ready keys, in the same order; no key is in both sets. */
  readonly #urgent = new Set<string>();
  readonly #inHand = new Set<string>();
  /** Keys that were added while a worker reconciled them. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delay>();
  readonly #failures = new Map<string, number>();
  readonly #takers: Taker[] = [];
  #idle: (() => void)[] = [];
  #shut = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** The number of ready keys, which is the backlog of the workers. */
  get depth(): number {
    return this.#urgent.size + this.#ready.size + this.#again.size;
  }

  get inHand(): readonly string[] {
    return [...this.#inHand];
  }

  /** The number of failures of the key since the last `forget`. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  add(key: string): void {
    if (this.#shut) return;
    this.#claimPlace(key);
    this.#addClaimed(key);
  }

  #addClaimed(key: string): void {
    if (this.#inHand.has(key)) this.#again.add(key);
    else this.#makeReady(key);
  }

  addAfter(key: string, ms: number): void {
    if (ms <= 0) {
      this.add(key);
      return;
    }
    if (this.#shut) return;
    const { clock, timers } = this.#options.platform;
    const atMs = clock.monotonicMs() + ms;
    const before = this.#delayed.get(key);
    if (before !== undefined && before.atMs <= atMs) return;
    this.#claimPlace(key);
    before?.callOff();
    const callOff = timers.after(ms, () => {
      this.#delayed.delete(key);
      // The key keeps its place, so that nothing is thrown in a timer.
      this.#addClaimed(key);
    });
    this.#delayed.set(key, { atMs, callOff });
  }

  /**
   * Adds the key after a pause that grows with its failures, at least `askedMs`; returns the pause in milliseconds. An
   * urgent key ignores `askedMs`: the server sends it to all clients alike, but a frozen application must be thawed in
   * time.
   */
  retry(key: string, askedMs: number = 0): number {
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    const { backoff = DEFAULT_BACKOFF, random } = this.#options;
    const atLeastMs = this.#isUrgent(key) ? 0 : askedMs;
    const pauseMs = Math.max(atLeastMs, backoffMs(failures, backoff, random()));
    this.addAfter(key, pauseMs);
    return pauseMs;
  }

  #isUrgent(key: string): boolean {
    return this.#options.isUrgent?.(key) === true;
  }

  /** Resets the failures of the key: its next failure is its first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Takes the next key, which the worker has until it calls `done`; null: the queue is shut down and empty. */
  take(): Promise<string | null> {
    for (const ready of [this.#urgent, this.#ready]) {
      for (const key of ready) {
        ready.delete(key);
        this.#inHand.add(key);
        return Promise.resolve(key);
      }
    }
    if (this.#shut) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  done(key: string): void {
    this.#inHand.delete(key);
    if (this.#again.delete(key)) this.#makeReady(key);
    if (this.#inHand.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Accepts no more keys, and forgets delayed ones. Ready keys are handed out first (`finish`), or not at all (`drop`:
   * the next term starts with all keys anyway). Resolves when no worker has a key.
   */
  shutDown(ready: 'finish' | 'drop'): Promise<void> {
    this.#shut = true;
    for (const { callOff } of this.#delayed.values()) callOff();
    this.#delayed.clear();
    if (ready === 'drop') {
      this.#urgent.clear();
      this.#ready.clear();
      this.#again.clear();
    }
    for (const taker of this.#takers.splice(0)) taker(null);
    return this.#drained();
  }

  async #drained(): Promise<void> {
    while (this.#inHand.size + this.#urgent.size + this.#ready.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle.push(resolve);
      });
    }
  }

  #makeReady(key: string): void {
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#putInOrder(key);
      return;
    }
    this.#inHand.add(key);
    taker(key);
  }

  /**
   * Adds the key to the ready keys. A key that is ready already keeps its position, unless it has become urgent since.
   */
  #putInOrder(key: string): void {
    if (this.#urgent.has(key)) return;
    if (!this.#isUrgent(key)) {
      this.#ready.add(key);
      return;
    }
    this.#ready.delete(key);
    this.#urgent.add(key);
  }

  #isReady(key: string): boolean {
    return this.#urgent.has(key) || this.#ready.has(key);
  }

  /**
   * Checks that one more key fits, and throws LHK101 if not. A key that is ready, delayed or being processed is not
   * counted again.
   */
  #claimPlace(key: string): void {
    const { name, maxKeys = MAX_KEYS } = this.#options;
    if (this.#delayed.has(key) || this.#isReady(key) || this.#inHand.has(key)) return;
    const ready = this.#urgent.size + this.#ready.size;
    const keys = ready + this.#inHand.size + this.#delayed.size;
    if (keys < maxKeys) return;
    throw new LifehookError({
      code: 'LHK101',
      message: `The controller ${name} holds at most ${maxKeys} keys at a time, and its queue is full: it cannot add ${key}.`,
      next: 'Watch fewer objects (a namespace, a label selector), or raise the limit; nothing is lost, a new start lists everything again.',
    });
  }
}
