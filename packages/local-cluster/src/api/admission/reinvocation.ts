/**
 * Which mutating webhooks are asked a second time, because somebody changed the object after they had
 * been asked. There is one second round, and nobody is asked in it for the first time.
 */
export class Reinvocation {
  /** Those that want to know of later changes, asked since the last change. */
  readonly #asked = new Set<string>();
  readonly #again = new Set<string>();

  get wanted(): boolean {
    return this.#again.size > 0;
  }

  /** The object is not any more what those before have seen. */
  changed(): void {
    for (const id of this.#asked) this.#again.add(id);
    this.#asked.clear();
  }

  asked({ id, reinvoke }: { readonly id: string; readonly reinvoke: boolean }): void {
    if (reinvoke) this.#asked.add(id);
  }

  includes(id: string): boolean {
    return this.#again.has(id);
  }
}
