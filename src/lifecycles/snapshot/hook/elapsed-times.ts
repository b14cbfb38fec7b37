/**
 * Elapsed times by ID.
 *
 * The wall clock is read once for each ID, for the time before this process knew the ID. From then on the monotonic
 * clock counts.
 */
import type { Clock } from '../../../platform/platform.ts';

export class ElapsedTimes {
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly seenMs: number; readonly elapsedMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since `atMs` of the wall clock, never negative. Only the first call for an id uses `atMs`. */
  sinceMs(id: string, atMs: number): number {
    const seenMs = this.#clock.monotonicMs();
    const first = { seenMs, elapsedMs: Math.max(0, this.#clock.nowMs() - atMs) };
    const known = this.#known.get(id) ?? first;
    this.#known.set(id, known);
    return known.elapsedMs + seenMs - known.seenMs;
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
