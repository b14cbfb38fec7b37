/**
 * Concentrates the faults of a seed on one phase, because chance rarely meets a short phase. In this phase, some
 * randomly selected kinds of fault are far more likely than elsewhere.
 */
import type { Random } from './random.ts';

/** Probability that a kind takes part. */
const TAKES_PART = 0.5;
/** Probability of a fault at each question in the phase. */
const LIKELY = 0.3;
/** Maximum number of such faults of one kind in one seed. */
const HITS_MAX = 3;

interface Kind {
  readonly dice: Random;
  left: number;
}

export class Focus {
  readonly phase: string;
  readonly #dice: Random;
  readonly #kinds = new Map<string, Kind>();

  constructor(phase: string, dice: Random) {
    this.phase = phase;
    this.#dice = dice;
  }

  /** True if a fault of this kind happens now. */
  hits(kind: string, phases: () => readonly string[]): boolean {
    const known = this.#kinds.get(kind) ?? this.#add(kind);
    if (known.left === 0 || !phases().includes(this.phase)) return false;
    if (!known.dice.chance(LIKELY)) return false;
    known.left -= 1;
    return true;
  }

  #add(kind: string): Kind {
    const dice = this.#dice.fork(kind);
    const known = { dice, left: dice.chance(TAKES_PART) ? HITS_MAX : 0 };
    this.#kinds.set(kind, known);
    return known;
  }
}
