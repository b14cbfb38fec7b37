/** The measuring rules of this project: whole commands, interleaved, medians; every claim is a ratio within one run. */
import { spawnSync } from 'node:child_process';

/** One result. `against` names the comparison in the same run. `goal` has the same unit as `value`; null: no goal. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: number | null;
  readonly against: string;
  readonly samples: number;
}

/** A benchmark; it may return several results that were measured together. */
export type Bench = () => Promise<readonly BenchResult[]>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export interface Candidate {
  readonly name: string;
  /** The timed work; resolves when the work is done. */
  readonly run: (round: number) => void | Promise<void>;
}

/**
 * The wall time of each candidate in milliseconds, `rounds` times. Candidates take turns, so that a drift of the
 * machine affects all alike. Their order changes in each round, because the cleanup after one candidate slows down the
 * next.
 */
export async function interleave(
  candidates: readonly Candidate[],
  rounds: number,
): Promise<Map<string, number[]>> {
  const times = new Map(candidates.map(({ name }) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, run } of shuffled(candidates)) {
      const started = performance.now();
      await run(round);
      // Round -1 only warms the caches.
      if (round >= 0) times.get(name)?.push(performance.now() - started);
    }
  }
  return times;
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

/** Runs a command to its end; throws if the command fails. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): void {
  const { status, error, stderr } = spawnSync(file, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
  });
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')} exited with ${status}: ${stderr.toString()}`);
}
