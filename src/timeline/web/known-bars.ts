/** The spans that the page knows, by id: a new version replaces the old one. */
import type { Bar } from '../bar.ts';

/** Beyond this number the oldest spans are dropped, as on the server. */
export const BARS_MAX = 20_000;

export class KnownBars {
  readonly #bars = new Map<string, Bar>();
  #list: readonly Bar[] | null = null;

  /** The same array until something changes. */
  get list(): readonly Bar[] {
    this.#list ??= [...this.#bars.values()];
    return this.#list;
  }

  get(id: string): Bar | null {
    return this.#bars.get(id) ?? null;
  }

  add(bars: readonly Bar[]): void {
    for (const bar of bars) this.#bars.set(bar.id, bar);
    const tooMany = this.#bars.size - BARS_MAX;
    if (tooMany > 0) {
      const oldest = [...this.#bars.values()].toSorted((one, other) => one.startMs - other.startMs);
      for (const { id } of oldest.slice(0, tooMany)) this.#bars.delete(id);
    }
    this.#list = null;
  }

  remove(id: string): void {
    this.#bars.delete(id);
    this.#list = null;
  }

  /** Drops all other spans. */
  replaceAll(bars: readonly Bar[]): void {
    this.#bars.clear();
    this.add(bars);
  }
}
