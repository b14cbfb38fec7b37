/** Wakes all callers that wait for one event. Each of them waits at most until its own signal aborts. */
import type { CancelSignal } from './platform.ts';

export class Wakeups {
  readonly #waiting = new Set<() => void>();

  /** Resolves with the next `wake`, or when the signal aborts; the caller checks which of them it was. */
  next(signal: CancelSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = (): void => {
        this.#waiting.delete(resume);
        signal.removeEventListener('abort', resume);
        resolve();
      };
      this.#waiting.add(resume);
      signal.addEventListener('abort', resume);
    });
  }

  wake(): void {
    for (const resume of this.#waiting) resume();
  }
}
