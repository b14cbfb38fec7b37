/** Faults when a controller is active, in addition to those at random times. */
import type { Fault } from '../faults.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Trouble } from './faults.ts';
import type { Replica } from './replica.ts';

/** Probability that a controller dies, or that a trouble strikes, at each moment at which a controller is active. */
const DEADLY = 0.04;
const KILLS_MAX = 4;
const BLOWS_MAX = 5;

export interface MomentsOptions {
  readonly world: World;
  readonly random: Random;
  readonly troubles: ReadonlySet<Trouble>;
  readonly strike: (trouble: Trouble, random: Random) => void;
}

export class Moments {
  readonly #options: MomentsOptions;
  readonly #faults: readonly { readonly trouble: Trouble; readonly fault: Fault }[];
  #kills = 0;
  #blows = 0;

  constructor(options: MomentsOptions) {
    this.#options = options;
    const { faults } = options.world;
    const fault = (trouble: Trouble): Fault => faults.ofMoments(trouble, 'in action');
    this.#faults = [...options.troubles].map((trouble) => ({ trouble, fault: fault(trouble) }));
  }

  live(replica: Replica): void {
    const { world, random, troubles, strike } = this.#options;
    const mayDie = troubles.has('kills') && this.#kills < KILLS_MAX;
    if (mayDie && world.faults.ofMoments('kills', replica.host.name).chance(random, DEADLY)) {
      this.#kills += 1;
      replica.kill();
    }
    for (const { trouble, fault } of this.#faults) {
      if (this.#blows >= BLOWS_MAX || !fault.chance(random, DEADLY)) continue;
      this.#blows += 1;
      // Each fault gets its own random numbers, so that it does not change later ones.
      const own = random.split();
      world.after(own.between(0, 300), () => {
        strike(trouble, own);
      });
    }
  }
}
