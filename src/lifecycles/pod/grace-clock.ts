/**
 * The end of a stop's grace period, in milliseconds on the monotonic clock, so that changes of the wall clock do not
 * affect it. It can be shortened during the stop (POD-G4).
 */
export class GraceClock {
  #endsAtMs: number;
  readonly #listeners = new Set<() => void>();

  constructor(endsAtMs: number) {
    this.#endsAtMs = endsAtMs;
  }

  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  shortenTo(endsAtMs: number): void {
    if (endsAtMs >= this.#endsAtMs) return;
    this.#endsAtMs = endsAtMs;
    for (const listener of this.#listeners) listener();
  }

  /** Returns a function that removes the listener. */
  onShortened(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
