/**
 * Seeded random numbers (sfc32). Each part of a simulation gets its own stream by name. So one more number in one part
 * does not change the numbers of another part.
 */
export class Random {
  readonly #seed: number;
  #a = 0x9e37_79b9 | 0;
  #b = 0x243f_6a88;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#seed = seed;
    this.#c = seed | 0;
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) this.#next();
  }

  fork(name: string): Random {
    return new Random(hashText(name, this.#seed));
  }

  /** A new stream, which depends on the numbers drawn so far. */
  split(): Random {
    return new Random(hashText(this.state));
  }

  /** The state for `reset`, which determines the next numbers. */
  get state(): string {
    return [this.#a, this.#b, this.#c, this.#counter].map((word) => word.toString(36)).join('_');
  }

  /** Restores a state, so that the same numbers follow again. */
  reset(state: string): void {
    const words = state.split('_').map((word) => Number.parseInt(word, 36));
    [this.#a = 0, this.#b = 0, this.#c = 0, this.#counter = 0] = words;
  }

  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number {
    return this.#next() / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  #next(): number {
    const mixed = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + mixed) | 0;
    return mixed >>> 0;
  }
}

const WARM_UP_ROUNDS = 12;

/** 32-bit FNV-1a hash of the text. Traces are hashed with it too. */
export function hashText(text: string, from = 0x811c_9dc5): number {
  let hash = from >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193) >>> 0;
  }
  return hash;
}
