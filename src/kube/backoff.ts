/** The wait after a number of failures in a row: exponential, bounded, with jitter. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * With firstMs 100 and maxMs 5000, failure 1 waits 50 to 100 ms, failure 4 waits 400 to 800 ms, failure 7 and later 2.5
 * to 5 s. `random` is from 0 to 1 and spreads callers that failed together.
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff, random: number): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return wholeMs * (0.5 + random / 2);
}
