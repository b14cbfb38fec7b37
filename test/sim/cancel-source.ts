import type { CancelSignal } from '../../src/platform/platform.ts';

/** A cancellation that the simulation can give, where production has an AbortController. */
export class CancelSource {
  readonly #listeners = new Set<() => void>();
  #aborted = false;

  readonly signal: CancelSignal = this.#makeSignal();

  cancel(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
  }

  #makeSignal(): CancelSignal {
    const aborted = (): boolean => this.#aborted;
    return {
      get aborted(): boolean {
        return aborted();
      },
      addEventListener: (_type, listener) => {
        this.#listeners.add(listener);
      },
      removeEventListener: (_type, listener) => {
        this.#listeners.delete(listener);
      },
    };
  }
}
