/**
 * Faults that all simulations of controllers have. Each seed uses only some kinds, so that each kind occurs alone and
 * with others.
 */
import { strikeInFocus } from '../in-focus.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { NetworkFaults } from './sim-client.ts';
import type { WatchFaults } from './sim-watch.ts';

/** Kinds of trouble that every simulation of controllers has. */
export type CommonTrouble =
  /** Requests are refused, lost, answered late or in conflict. Watches lag and break. */
  | 'network'
  /** Controllers are killed at any step. */
  | 'kills'
  /** There are two controllers with a Lease. They are suspended and disconnected. */
  | 'replicas'
  /** Users delete and edit objects. */
  | 'users'
  /** Clocks differ and are set. */
  | 'clocks';

export const networkTrouble: NetworkFaults = {
  refused: 0.02,
  tooMany: 0.02,
  conflict: 0.05,
  requestLost: 0.01,
  answerLost: 0.02,
  slow: 0.02,
};

export const watchTrouble: WatchFaults = { relist: 0.02, repeat: 0.05, lag: 0.08 };

export interface Strikes<T extends string> {
  readonly world: World;
  /** Randomness of the seed. Each kind of trouble gets its own stream from it. */
  readonly random: Random;
  readonly troubles: ReadonlySet<T>;
  /** Minimum and maximum number of strikes of each kind. */
  readonly times: readonly [number, number];
  readonly withinMs: number;
  readonly strike: (trouble: T, random: Random) => void;
}

/** Schedules the strikes of each kind at random times. */
export function scheduleStrikes<T extends string>(strikes: Strikes<T>): void {
  const { world, troubles, times, withinMs, strike } = strikes;
  for (const trouble of troubles) {
    const random = strikes.random.fork(`strikes of ${trouble}`);
    const fault = world.faults.of(trouble);
    for (let left = random.between(...times); left > 0; left -= 1) {
      world.after(random.between(0, withinMs), () => {
        if (fault.strikes(random)) strike(trouble, random);
      });
    }
    strikeInFocus({
      world,
      kind: trouble,
      random: strikes.random,
      withinMs,
      strike: (dice) => {
        strike(trouble, dice);
      },
    });
  }
}
