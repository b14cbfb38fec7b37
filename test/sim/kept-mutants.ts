/**
 * The kept mutants of all simulations: deliberate defects of the product, each with the invariants that must find it.
 */
import { containerInterruptionMutants } from './container/interruption-mutants.ts';
import { containerMutants } from './container/mutants.ts';
import { containerPromiseMutants } from './container/promise-mutants.ts';
import { childrenMutants } from './controller/children-mutants.ts';
import { leaseMutants } from './controller/lease-mutants.ts';
import { controllerMutants } from './controller/mutants.ts';
import { runtimeMutants } from './controller/runtime-mutants.ts';
import { engineMutants } from './engine/mutants.ts';
import { engineReportMutants } from './engine/report-mutants.ts';
import { pipelineMutants } from './pipeline/mutants.ts';
import { podMutants } from './pod/mutants.ts';
import { podPromiseMutants } from './pod/promise-mutants.ts';
import { rolloutDutyMutants } from './rollout/duty-mutants.ts';
import { rolloutMutants } from './rollout/mutants.ts';
import { guardMutants } from './snapshot/guard-mutants.ts';
import { snapshotMutants } from './snapshot/mutants.ts';
import { verdictMutants } from './snapshot/verdict-mutants.ts';
import { snapshotWorldMutants } from './snapshot/world-mutants.ts';

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Text to replace. It occurs exactly once in the file. */
  readonly text: string;
  readonly by: string;
  /** Invariants whose violation counts as found. The first is the one that the mutant was written for. */
  readonly breaks: readonly [string, ...string[]];
  /** The first seed that is tried; absent: 1. Set for a mutant that was found late, to save the seeds before. */
  readonly from?: number;
  /** Number of seeds within which a violation must be found; absent: DEFAULT_SEEDS. */
  readonly seeds?: number;
}

/** Mutants keyed by lifecycle. A new lifecycle adds its mutants with one line. */
export const keptMutants: Readonly<Record<string, readonly Mutant[]>> = {
  engine: [...engineMutants, ...engineReportMutants],
  controller: [...controllerMutants, ...runtimeMutants, ...childrenMutants, ...leaseMutants],
  pod: [...podMutants, ...podPromiseMutants],
  rollout: [...rolloutMutants, ...rolloutDutyMutants],
  snapshot: [...snapshotMutants, ...verdictMutants, ...snapshotWorldMutants],
  guard: guardMutants,
  container: [...containerMutants, ...containerPromiseMutants, ...containerInterruptionMutants],
  pipeline: pipelineMutants,
};
