/** Runs seeds of one lifecycle one after the other, for `npm run sim` and for each worker of `npm run sim:million`. */
import { setImmediate } from 'node:timers/promises';

import { Faults } from './faults.ts';
import type { Simulation } from './lifecycles.ts';
import type { Violation } from './world.ts';

export interface Seeds {
  /** The first seed. */
  readonly from: number;
  readonly seeds: number;
}

export interface FailedSeed extends Violation {
  readonly seed: number;
}

/** Yields each seed that violates an invariant, and continues after it. */
export async function* runSeeds(
  simulate: Simulation,
  { from, seeds }: Seeds,
): AsyncGenerator<FailedSeed, void, undefined> {
  const { stackTraceLimit } = Error;
  // Stack traces are off, because each costs more time than the request that fails. A replay has them.
  Error.stackTraceLimit = 0;
  try {
    for (let seed = from; seed < from + seeds; seed += 1) {
      const { violation } = await simulate(seed, undefined, new Faults({ mayFocus: true }));
      if (violation !== null) yield { seed, ...violation };
      // A simulation never waits for Node.js. This lets signals and finalizers run between two seeds.
      await setImmediate();
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function replayCommand(lifecycle: string, seed: number): string {
  return `npm run sim -- --lifecycle ${lifecycle} --seed ${seed}`;
}
