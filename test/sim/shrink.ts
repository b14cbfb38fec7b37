/** Shrinks a failing seed to the fewest faults that still violate the same invariant in the same way. */
import { ddmin } from './ddmin.ts';
import { failureKind } from './failure-kind.ts';
import { Faults, type KeptFault, type Strike } from './faults.ts';
import type { Simulation } from './lifecycles.ts';
import type { Violation } from './world.ts';

export interface Shrunk {
  readonly seed: number;
  readonly violation: Violation;
  /** Number of faults before the seed was shrunk. */
  readonly before: number;
  readonly faults: readonly KeptFault[];
  /** Number of replays that were necessary. */
  readonly replays: number;
}

/**
 * Returns null if the seed violates no invariant. `focus`: the phase on which the seed concentrates; absent: it selects
 * one.
 */
export async function shrink(
  simulate: Simulation,
  seed: number,
  focus?: string,
): Promise<Shrunk | null> {
  const strikes: Strike[] = [];
  const onStrike = (strike: Strike): unknown => strikes.push(strike);
  const free = await simulate(seed, undefined, new Faults({ mayFocus: true, focus, onStrike }));
  if (free.violation === null) return null;
  const kind = failureKind(free.violation);
  let { violation } = free;
  let replays = 0;
  const fails = async (part: readonly Strike[]): Promise<boolean> => {
    replays += 1;
    const replay = await simulate(seed, undefined, new Faults({ only: part, focus }));
    if (replay.violation === null || failureKind(replay.violation) !== kind) return false;
    ({ violation } = replay);
    return true;
  };
  const swarm = await withoutKinds(strikes, fails);
  const left = await ddmin(swarm, fails);
  const faults = left.map(({ id, dice }) => ({ id, dice }));
  return { seed, violation, before: strikes.length, faults, replays };
}

/** Removes whole kinds of fault first, because most kinds do not matter. */
async function withoutKinds(
  strikes: readonly Strike[],
  fails: (part: readonly Strike[]) => Promise<boolean>,
): Promise<readonly Strike[]> {
  const kinds = [...new Set(strikes.map(({ kind }) => kind))];
  const needed = new Set(await ddmin(kinds, (part) => fails(ofKinds(strikes, part))));
  return ofKinds(strikes, [...needed]);
}

function ofKinds(strikes: readonly Strike[], kinds: readonly string[]): readonly Strike[] {
  return strikes.filter(({ kind }) => kinds.includes(kind));
}
