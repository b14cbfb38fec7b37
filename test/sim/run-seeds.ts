/** Runs seeds of one lifecycle, one after the other: for `npm run sim` and each process of `npm run sim:million`. */
import { setImmediate } from 'node:timers/promises';

import { Faults } from './faults.ts';
import type { Simulation } from './lifecycles.ts';
import type { Violation } from './world.ts';

export interface Seeds {
  /** The first. */
  readonly from: number;
  readonly seeds: number;
}

export interface FailedSeed extends Violation {
  readonly seed: number;
}

/** Yields each seed that breaks an invariant, and goes on after it. */
export async function* runSeeds(
  simulate: Simulation,
  { from, seeds }: Seeds,
): AsyncGenerator<FailedSeed, void, undefined> {
  const { stackTraceLimit } = Error;
  // The stack of an error costs more than the request that it answers; a replay has it.
  Error.stackTraceLimit = 0;
  try {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const { violation } = await simulate(seed, undefined, new Faults({ mayFocus: true }));
      if (violation !== null) yield { seed, ...violation };
      // A simulation never waits for Node, so signals and finalizers run between two of them.
      await setImmediate();
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function replayCommand(lifecycle: string, seed: number): string {
  return `npm run sim -- --lifecycle ${lifecycle} --seed ${seed}`;
}
