/** A map that drops its least recently used entry when it exceeds `limit` entries. */
export class RecentMap<V> {
  readonly #limit: number;
  /** In the order of the last touch. */
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, which counts as touched; made where there is none. */
  touch(key: string, make: () => V): V {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
    return value;
  }
}
