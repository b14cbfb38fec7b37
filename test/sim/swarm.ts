/** Selects the kinds of fault in a seed, so that each kind occurs alone and with others. */
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';

/** `alone`: probability of exactly one kind, from 0 to 1. */
export function throwSwarm<T extends string>(
  kinds: readonly T[],
  random: Random,
  alone: number = 0,
): ReadonlySet<T> {
  const [first, ...others] = kinds;
  if (first !== undefined && alone > 0 && random.chance(alone)) {
    return new Set([random.pick([first, ...others])]);
  }
  const each = random.pick([0, 0.2, 0.3, 0.4, 0.6]);
  return new Set(kinds.filter(() => random.chance(each)));
}

/** For simulations with many mild kinds: half of the seeds have all of them. */
export function throwFullOrSwarm<T extends string>(
  kinds: readonly T[],
  random: Random,
): ReadonlySet<T> {
  return random.chance(0.5) ? new Set(kinds) : throwSwarm(kinds, random, 0.25);
}

export interface Seed {
  readonly faults: Faults;
  readonly random: Random;
}

/** Like `throwSwarm`, but with more kinds if the seed concentrates on a phase. Then two rare things must meet. */
export function throwTroubles<T extends string>(
  kinds: readonly T[],
  { faults, random }: Seed,
  alone: number = 0,
): ReadonlySet<T> {
  const chosen = throwSwarm(kinds, random.fork('troubles'), alone);
  if (faults.isFocusGiven) {
    const dice = random.fork('more troubles');
    return new Set([...chosen, ...kinds.filter(() => dice.chance(0.5))]);
  }
  if (!faults.hasFocus && !faults.isReplay) return chosen;
  const thrown = kinds[random.fork('another trouble').between(0, kinds.length - 1)];
  const more = kinds.filter((kind) => faults.of('trouble', kind).decides(kind === thrown, null));
  return new Set([...chosen, ...more]);
}

/** Selects no kind in most seeds, else one or two. If the focus is given, selects some in each seed. */
export function throwMore<T extends string>(
  kinds: readonly [T, ...T[]],
  { faults, random }: Seed,
): ReadonlySet<T> {
  if (!random.chance(0.3) && !faults.isFocusGiven) return new Set();
  return new Set(random.pick([[random.pick(kinds)], [random.pick(kinds), random.pick(kinds)]]));
}
