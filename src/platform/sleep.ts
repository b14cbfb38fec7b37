import type { CancelSignal, Timers } from './platform.ts';

/**
 * Resolves after `ms` milliseconds, or as soon as the signal aborts; the caller checks the signal to tell which. No
 * timer and no listener is left behind. Part of the shim: uses nothing of Node.
 */
export function sleep(timers: Timers, ms: number, signal?: CancelSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      callOff();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const callOff = timers.after(ms, finish);
    signal?.addEventListener('abort', finish);
  });
}

/** The pause after a number of failures in a row: exponential, bounded, with jitter. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * The pause in milliseconds. Worked example, firstMs 100, maxMs 5000: 50 to 100 ms after failure 1, 400 to 800 ms after
 * failure 4, 2.5 to 5 s from failure 7 on. `random` is from 0 to 1 and spreads callers that failed together.
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff, random: number): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return wholeMs * (0.5 + random / 2);
}
