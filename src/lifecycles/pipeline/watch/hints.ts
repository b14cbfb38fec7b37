/**
 * Collects hints, which are paths that may have changed, until none arrives for a moment. So the rename, removal and
 * creation by an editor are one change, and so is a checkout. The number of paths is limited: above the limit, only the
 * fact that many paths changed is kept.
 */
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';

/**
 * Milliseconds without a hint after which a change is complete. Must be at least 50: for that long the watcher
 * suppresses further hints of the same file, and its content must be read after that time.
 */
export const QUIET_MS = 60;

/** Milliseconds after which a change is processed even if hints keep arriving. */
export const LONGEST_MS = 2_000;

export const MAX_HINTS = 50_000;

export interface HintedPaths {
  readonly paths: ReadonlySet<string>;
  /** Whether any other path may have changed too. */
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

  /** Marks the hints as incomplete. Call it when hints may have been missed. */
  addUnknown(): void {
    this.#isIncomplete = true;
    this.#noticed();
  }

  /** Makes the next call of `next` return, even without a hint. */
  wake(): void {
    this.#isWoken = true;
    this.#noticed();
  }

  /** The hints since the last call, once they stop arriving; null: the signal has aborted. */
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
