/**
 * When the grace of a stop is used up, in milliseconds of the clock that nobody sets: a stop lasts as long
 * as it may, whatever happens to the time of day. It can be moved forward while the stop is under way (POD-G4).
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

  /** The returned function ends it. */
  onShortened(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
