/** Closes resources in the reverse order of their opening, each one even if another close fails. */
export class Closing implements AsyncDisposable {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** Call it once. Rejects with the first error. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
