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
  /** null: every invariant held. */
  readonly violation: Violation | null;
  /** Hash of all that happened: the same seed gives the same hash. */
  readonly traceHash: number;
}

/** One seed is one whole simulated life; `trace` is called with each event in words. */
export type Simulation = (
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
) => Promise<SimResult>;

/** The values of NAME in `npm run sim -- --lifecycle NAME`. A guard has its own world within the snapshot lifecycle. */
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
