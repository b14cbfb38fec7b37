/** Runs at most `limit` tasks at once; the others wait in the order of their arrival. */
export class AttemptPool {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs the work when a slot is free. Rejects with the error of the work. */
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
      // Pass the slot on directly, so that no later caller can take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
