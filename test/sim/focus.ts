/**
 * A phase on which the faults of a seed concentrate: some phases are so short that chance rarely meets them. Some
 * kinds, which the dice choose, are then far more likely in it than elsewhere.
 */
import type { Random } from './random.ts';

/** Share of the kinds that take part. */
const TAKES_PART = 0.5;
/** Chance at each opportunity in the phase. */
const LIKELY = 0.3;
/** Limit for one kind in one seed. */
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

  /** Whether a fault of this kind happens now. */
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
