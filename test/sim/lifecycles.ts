import { simulateContainer } from './container/simulate.ts';
import { simulateController } from './controller/simulate.ts';
import { simulateEngine } from './engine/simulate.ts';
import type { Faults } from './faults.ts';
import { simulatePipeline } from './pipeline/simulate.ts';
import { simulatePod } from './pod/simulate.ts';
import { simulateRollout } from './rollout/simulate.ts';
import { simulateGuard, simulateSnapshot } from './snapshot/simulate.ts';
import type { Violation } from './world.ts';

export interface SimResult {
  /** The violated invariant; null if every invariant held. */
  readonly violation: Violation | null;
  /** Hash of the trace. The same seed always gives the same hash. */
  readonly traceHash: number;
}

/** Simulates one seed from start to end. `trace` is called with a line of text for each event. */
export type Simulation = (
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
) => Promise<SimResult>;

/**
 * Simulations, keyed by the NAME in `npm run sim -- --lifecycle NAME`. The guard has its own simulation, although it
 * belongs to the snapshot lifecycle.
 */
export const lifecycles: Readonly<Record<string, Simulation>> = {
  engine: simulateEngine,
  controller: simulateController,
  pod: simulatePod,
  snapshot: simulateSnapshot,
  guard: simulateGuard,
  rollout: simulateRollout,
  container: simulateContainer,
  pipeline: simulatePipeline,
};
