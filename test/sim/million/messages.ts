/** Messages between the process of `npm run sim:million` and its workers. */
import type { FailedSeed, Seeds } from '../run-seeds.ts';

/** Consecutive seeds of one lifecycle: the unit of work. */
export interface Chunk extends Seeds {
  readonly lifecycle: string;
}

export interface ChunkResult {
  /** CPU time of the worker, with its threads for garbage collection and compilation, milliseconds. */
  readonly cpuMs: number;
  readonly failures: readonly FailedSeed[];
}
