/**
 * A phase on which the faults of a seed concentrate: some phases are short, and chance alone meets them seldom. Some
 * kinds, which the dice choose, are then far more likely in it than elsewhere.
 */
import type { Random } from './random.ts';

/** How many of the kinds take part. */
const TAKES_PART = 0.5;
/** Of each opportunity in the phase. */
const LIKELY = 0.3;
/** Of one kind, in one seed. */
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

  /** Whether a fault of this kind is to happen now. */
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
