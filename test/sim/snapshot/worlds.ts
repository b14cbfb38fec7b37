/** The two worlds of the snapshot lifecycle: our own snapshots, and those of other clients that a guard protects. */
import type { Faults } from '../faults.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { throwFew, throwSome } from './faults.ts';
import { throwGuardedScene, throwScene } from './scene.ts';
import { type Dice, SnapshotSimulation } from './simulate.ts';

const OURS: Dice = { throwTroubles: throwSome, throwScene };
const GUARDED: Dice = { throwTroubles: throwFew, throwScene: throwGuardedScene };

export async function simulateSnapshot(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new SnapshotSimulation(new Random(seed), new World(trace, faults), OURS).run();
}

export async function simulateGuard(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  return new SnapshotSimulation(new Random(seed), new World(trace, faults), GUARDED).run();
}
