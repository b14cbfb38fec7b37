/**
 * Divides the seeds into chunks of work. All lifecycles advance together, so that one `--from` continues all of them.
 */
import type { Chunk } from './messages.ts';

/** A chunk of this size takes some seconds, so an interruption loses little work and few messages are necessary. */
const SEEDS_IN_CHUNK = 200;

export interface Work {
  readonly lifecycles: readonly string[];
  /** The first seed. */
  readonly from: number;
  /** Number of seeds for each lifecycle. */
  readonly seeds: number;
}

export function* chunksOf({ lifecycles, from, seeds }: Work): Generator<Chunk, void, undefined> {
  const end = from + seeds;
  for (let first = from; first < end; first += SEEDS_IN_CHUNK) {
    for (const lifecycle of lifecycles) {
      yield { lifecycle, from: first, seeds: Math.min(SEEDS_IN_CHUNK, end - first) };
    }
  }
}

/** Hands out chunks, and knows up to which seed every lifecycle is done. */
export class ChunkQueue {
  readonly #chunks: Generator<Chunk, void, undefined>;
  readonly #open = new Set<Chunk>();
  #next: Chunk | null;
  readonly #end: number;

  constructor(work: Work) {
    this.#chunks = chunksOf(work);
    this.#end = work.from + work.seeds;
    this.#next = this.#draw();
  }

  /** The next chunk; null if all were handed out. */
  take(): Chunk | null {
    const chunk = this.#next;
    if (chunk === null) return null;
    this.#open.add(chunk);
    this.#next = this.#draw();
    return chunk;
  }

  done(chunk: Chunk): void {
    this.#open.delete(chunk);
  }

  /** The first seed that is not yet done in every lifecycle. */
  get firstUndone(): number {
    const undone = [...this.#open, ...(this.#next === null ? [] : [this.#next])];
    return Math.min(this.#end, ...undone.map(({ from }) => from));
  }

  #draw(): Chunk | null {
    const { done, value } = this.#chunks.next();
    return done === true ? null : value;
  }
}
