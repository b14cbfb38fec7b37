import type { Clock } from '../../../platform/platform.ts';

interface Running {
  readonly requestedAt: string;
  /** Milliseconds of the monotonic clock when this process first saw it, and its age at that time. */
  readonly seenMs: number;
  readonly elapsedMs: number;
}

/**
 * The time since cuts were requested, while applications are frozen for them. The wall clock is read once for each cut,
 * for the time before this process knew of it; from then on the monotonic clock counts.
 */
export class CutTimes {
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whole milliseconds; undefined: no cut is requested. */
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
