/** Messages between the process of `npm run sim:million` and its workers. */
import type { FailedSeed, Seeds } from '../run-seeds.ts';

/** Consecutive seeds of one lifecycle, which one worker runs at a time. */
export interface Chunk extends Seeds {
  readonly lifecycle: string;
}

export interface ChunkResult {
  /** CPU time of the worker in milliseconds, including its threads for garbage collection and compilation. */
  readonly cpuMs: number;
  readonly failures: readonly FailedSeed[];
}
