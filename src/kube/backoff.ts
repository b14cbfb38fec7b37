/** How long to wait after so many failures in a row: doubling, bounded, spread. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * With 100 ms first and 5 s at most, failure 1 waits 50 to 100 ms, failure 4 400 to 800 ms, failure 7
 * and later 2.5 to 5 s. `random` is from 0 to 1 and spreads those who failed together.
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff, random: number): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return wholeMs * (0.5 + random / 2);
}
