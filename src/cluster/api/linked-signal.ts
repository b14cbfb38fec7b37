import type { CancelSignal } from '../../platform/platform.ts';

/** Aborts by itself or with any of those it is linked to; lets go of them when it has. */
export class LinkedSignal implements CancelSignal {
  readonly #listeners = new Set<() => void>();
  readonly #linked: readonly CancelSignal[];
  #aborted = false;

  constructor(...linked: readonly (CancelSignal | undefined)[]) {
    this.#linked = linked.filter((signal) => signal !== undefined);
    for (const signal of this.#linked) signal.addEventListener('abort', this.abort);
    if (this.#linked.some(({ aborted }) => aborted)) this.abort();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  readonly abort = (): void => {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const signal of this.#linked) signal.removeEventListener('abort', this.abort);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  };

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}
