import type { Clock } from '../../../platform/platform.ts';

interface Running {
  readonly requestedAt: string;
  /** When it was first seen here, and how long it had been requested by then. */
  readonly seenMs: number;
  readonly elapsedMs: number;
}

/**
 * How long cuts have been asked for, while applications are frozen for them. The wall clock is asked once, for
 * what was before this process knew of it; what passes from then on is counted by a clock that nobody sets.
 */
export class CutTimes {
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whole milliseconds; undefined: no cut is asked for. */
  elapsedMs(key: string, requestedAt: string | undefined): number | undefined {
    if (requestedAt === undefined) return undefined;
    const seenMs = this.#clock.monotonicMs();
    const known = this.#running.get(key);
    if (known?.requestedAt === requestedAt) {
      return Math.floor(known.elapsedMs + seenMs - known.seenMs);
    }
    const elapsedMs = Math.max(0, this.#clock.nowMs() - Date.parse(requestedAt));
    this.#running.set(key, { requestedAt, seenMs, elapsedMs });
    return elapsedMs;
  }

  forget(key: string): void {
    this.#running.delete(key);
  }
}
