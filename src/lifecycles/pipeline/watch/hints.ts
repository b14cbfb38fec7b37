/**
 * Paths that may have changed, collected until it has been quiet for a moment: an editor that renames, removes and adds
 * is one change, and so is a checkout. Bounded: of more paths than are kept it is only known that there were many.
 */
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';

/**
 * Without a hint for so long, the change is whole; milliseconds. Not less than 50: for so long after a hint the watcher
 * keeps the next one of the same file to itself, and its content has to be read after that.
 */
export const QUIET_MS = 60;

/** Who never stops writing is looked at all the same, milliseconds. */
export const LONGEST_MS = 2_000;

export const MAX_HINTS = 50_000;

export interface HintedPaths {
  readonly paths: ReadonlySet<string>;
  /** Anything may have changed. */
  readonly isIncomplete: boolean;
}

export class Hints {
  readonly #platform: Pick<Platform, 'clock' | 'timers'>;
  #paths = new Set<string>();
  #isIncomplete = false;
  #isWoken = false;
  #lastMs = 0;
  #wake: (() => void) | null = null;

  constructor(platform: Pick<Platform, 'clock' | 'timers'>) {
    this.#platform = platform;
  }

  add(path: string): void {
    if (this.#paths.size < MAX_HINTS) this.#paths.add(path);
    else this.#isIncomplete = true;
    this.#noticed();
  }

  /** Some may have been missed. */
  addUnknown(): void {
    this.#isIncomplete = true;
    this.#noticed();
  }

  /** Something else has come up: the next call has an answer, also without a hint. */
  wake(): void {
    this.#isWoken = true;
    this.#noticed();
  }

  /** What has come since the last call, once it is quiet; null: the signal has aborted. */
  async next(signal: CancelSignal): Promise<HintedPaths | null> {
    const { clock, timers } = this.#platform;
    while (this.#isEmpty && !signal.aborted) await this.#first(signal);
    const begunMs = clock.monotonicMs();
    for (;;) {
      if (signal.aborted) return null;
      const nowMs = clock.monotonicMs();
      const leftMs = Math.min(this.#lastMs + QUIET_MS, begunMs + LONGEST_MS) - nowMs;
      if (leftMs <= 0) return this.#take();
      await sleep(timers, leftMs, signal);
    }
  }

  get #isEmpty(): boolean {
    return this.#paths.size === 0 && !this.#isIncomplete && !this.#isWoken;
  }

  #noticed(): void {
    this.#lastMs = this.#platform.clock.monotonicMs();
    this.#wake?.();
  }

  #first(signal: CancelSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake = null;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }

  #take(): HintedPaths {
    const taken = { paths: this.#paths, isIncomplete: this.#isIncomplete };
    this.#paths = new Set();
    this.#isIncomplete = false;
    this.#isWoken = false;
    return taken;
  }
}
