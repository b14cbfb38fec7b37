import type { CancelSignal } from './platform.ts';

/**
 * A signal that its owner aborts, and that also aborts with each linked signal. It needs no `AbortController`, which
 * QuickJS lacks. The links are removed when it aborts or is released, since the linked signals may live much longer.
 */
export class LinkedSignal implements CancelSignal {
  readonly #listeners = new Set<() => void>();
  readonly #linked: readonly CancelSignal[];
  #aborted = false;
  #reason: unknown;

  constructor(...linked: readonly (CancelSignal | undefined)[]) {
    this.#linked = linked.filter((signal) => signal !== undefined);
    for (const signal of this.#linked) signal.addEventListener('abort', this.abort);
    if (this.#linked.some(({ aborted }) => aborted)) this.abort();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** The reason that was given to `abortWith`, or that of the linked signal; undefined after `abort`. */
  get reason(): unknown {
    return this.#reason;
  }

  readonly abort = (): void => {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason ??= this.#linked.find(({ aborted }) => aborted)?.reason;
    this.release();
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  };

  readonly abortWith = (reason: unknown): void => {
    this.#reason = this.#aborted ? this.#reason : reason;
    this.abort();
  };

  /** Removes the links without aborting. */
  readonly release = (): void => {
    for (const signal of this.#linked) signal.removeEventListener('abort', this.abort);
  };

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/**
 * Resolves when the signal aborts. The listener is never removed: use it only for signals that live no longer than the
 * wait.
 */
export function whenAborted(signal: CancelSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
