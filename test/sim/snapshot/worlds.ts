/** The two kinds of snapshot simulation: ApplicationSnapshots, and snapshots of other clients with a guard. */
import type { Faults } from '../faults.ts';
import type { Random } from '../random.ts';
import type { Seed } from '../swarm.ts';
import { throwFew, throwSome, type Trouble } from './faults.ts';
import { type Faulty, type Scene, throwGuardedScene, throwScene } from './scene.ts';

/** A kind of simulation: how it draws the troubles and the scene of a seed. */
export interface Kind {
  readonly throwTroubles: (seed: Seed) => ReadonlySet<Trouble>;
  readonly throwScene: (random: Random, faulty: Faulty) => Scene;
}

export const OURS: Kind = { throwTroubles: throwSome, throwScene };
export const GUARDED: Kind = { throwTroubles: throwFew, throwScene: throwGuardedScene };

export function faultyIn(troubles: ReadonlySet<Trouble>, { isFocusGiven }: Faults): Faulty {
  return {
    storage: troubles.has('storage'),
    exec: troubles.has('exec'),
    terminations: troubles.has('terminations'),
    isFocusGiven,
  };
}
