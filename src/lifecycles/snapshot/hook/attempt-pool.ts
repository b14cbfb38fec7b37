/** So many at once, and the others in the order in which they came. */
export class AttemptPool {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs the work when it has a place; rejects with what the work rejects with. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#running >= this.#limit) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who comes meanwhile can take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
